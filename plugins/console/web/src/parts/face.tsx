import { memo, type ReactNode } from 'react';
import { hueOf } from './hue.ts';

const WIDTH = 360;
const HEIGHT = 112;

/** The picture of an algorithm: drawn from its id and type, so it is always the same one and needs no file. */
export const Face = memo(function Face({ id, type }: { readonly id: string; readonly type: string }) {
  const draw = DRAWINGS[type] ?? rings;
  return (
    <svg
      className={`face ${hueOf(type)}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {draw(randomOf(id))}
    </svg>
  );
});

type Random = () => number;

const DRAWINGS: Readonly<Record<string, (random: Random) => ReactNode>> = {
  nlp: lines,
  computer_vision: boxes,
  ml: dots,
  time_series: series,
  optimisation: tour,
  audio: waves,
  graph: tour,
};

/** Numbers from 0 to 1 that depend on a text only (mulberry32 over an FNV hash). */
function randomOf(seed: string): Random {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function lines(random: Random): ReactNode {
  const words: ReactNode[] = [];
  for (let y = 16; y < HEIGHT; y += 16) {
    for (let x = 24 + random() * 10; x < WIDTH - 40;) {
      const width = 12 + random() * 46;
      const isKey = random() > 0.82;
      words.push(
        <rect key={`${x} ${y}`} x={x} y={y} width={width} height={7} rx={3.5} opacity={isKey ? 0.95 : 0.2} />,
      );
      x += width + 8;
    }
  }
  return <g fill="currentColor">{words}</g>;
}

function boxes(random: Random): ReactNode {
  return Array.from({ length: 6 }, (_, i) => {
    const [width, height] = [46 + random() * 90, 26 + random() * 48];
    const [x, y] = [18 + (i * (WIDTH - 60)) / 6 + random() * 20, 10 + random() * (HEIGHT - height - 18)];
    return (
      <g key={i} stroke="currentColor" strokeWidth={i % 2 ? 1.2 : 2.2}>
        <rect x={x} y={y} width={width} height={height} rx={3} fill="currentColor" fillOpacity={0.1} />
        {i % 2 === 0 && <rect x={x} y={y} width={width * 0.36} height={8} rx={2} fill="currentColor" />}
      </g>
    );
  });
}

function dots(random: Random): ReactNode {
  const split = WIDTH * (0.42 + random() * 0.16);
  const bend = (random() - 0.5) * 90;
  return (
    <g stroke="currentColor" strokeWidth={1.6}>
      <path
        d={`M${split} -4 Q${split + bend} ${HEIGHT / 2} ${split - bend * 0.3} ${HEIGHT + 4}`}
        fill="none"
        strokeDasharray="5 5"
        opacity={0.7}
      />
      {Array.from({ length: 42 }, (_, i) => {
        const isLeft = i % 2 === 0;
        const spread = (random() + random()) / 2;
        const x = isLeft ? split - 16 - spread * (split - 30) : split + 18 + spread * (WIDTH - split - 34);
        const y = 12 + random() * (HEIGHT - 24);
        return (
          <circle key={i} cx={x} cy={y} r={3.6} fill={isLeft ? 'currentColor' : 'none'} opacity={0.85} />
        );
      })}
    </g>
  );
}

function series(random: Random): ReactNode {
  const phase = random() * 6;
  const at = (x: number): number =>
    HEIGHT * 0.62 -
    Math.sin(x / 26 + phase) * (13 + 8 * Math.sin(phase)) -
    (x / WIDTH) * 34 +
    (random() - 0.5) * 7;
  const points = Array.from({ length: 46 }, (_, i) => [i * 8, at(i * 8)] as const);
  const path = (of: readonly (readonly [number, number])[]): string =>
    of.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  const ahead = points.slice(31);
  const band = [
    ...ahead.map(([x, y], i) => [x, y - i * 1.8] as const),
    ...ahead.map(([x, y], i) => [x, y + i * 1.8] as const).toReversed(),
  ];
  return (
    <g fill="none" stroke="currentColor" strokeWidth={2.4} strokeLinejoin="round">
      <path d={`${path(band)}Z`} fill="currentColor" fillOpacity={0.16} stroke="none" />
      <path d={path(points.slice(0, 32))} />
      <path d={path(ahead)} strokeDasharray="5 5" />
    </g>
  );
}

function tour(random: Random): ReactNode {
  const count = 8 + Math.floor(random() * 4);
  const points = Array.from({ length: count }, (_, i) => {
    const angle = ((i + random() * 0.55) / count) * Math.PI * 2;
    const reach = 0.52 + random() * 0.48;
    return [WIDTH / 2 + Math.cos(angle) * 138 * reach, HEIGHT / 2 + Math.sin(angle) * 46 * reach] as const;
  });
  const path = points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  return (
    <g stroke="currentColor" strokeWidth={1.8} strokeLinejoin="round">
      <path d={`${path}Z`} fill="currentColor" fillOpacity={0.1} />
      {points.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r={4} fill="currentColor" />
      ))}
    </g>
  );
}

function waves(random: Random): ReactNode {
  return (
    <g fill="currentColor">
      {Array.from({ length: 44 }, (_, i) => {
        const height = 6 + Math.abs(Math.sin(i / 5 + random())) * 60 * random() + 8;
        return (
          <rect
            key={i}
            x={18 + i * 7.5}
            y={(HEIGHT - height) / 2}
            width={4}
            height={height}
            rx={2}
            opacity={0.8}
          />
        );
      })}
    </g>
  );
}

function rings(random: Random): ReactNode {
  const [x, y] = [WIDTH * (0.2 + random() * 0.6), HEIGHT * (0.3 + random() * 0.4)];
  return (
    <g fill="none" stroke="currentColor" strokeWidth={1.8}>
      {Array.from({ length: 11 }, (_, i) => (
        <circle key={i} cx={x} cy={y} r={12 + i * (14 + random() * 6)} opacity={0.9 - i * 0.07} />
      ))}
      <circle cx={x} cy={y} r={5} fill="currentColor" />
    </g>
  );
}
