/** Red, green, blue: 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];
/** CIE 1976 L*a*b* under D65: distances are about as large as they look. */
export type Lab = readonly [lightness: number, a: number, b: number];

/** The white of sRGB (D65) in XYZ. */
const WHITE = [0.95047, 1, 1.08883] as const;
const KNEE = 6 / 29;

/** sRGB (IEC 61966-2-1) to L*a*b*. */
export function labOf([red, green, blue]: Rgb): Lab {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const x = rooted((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / WHITE[0]);
  const y = rooted((0.2126729 * r + 0.7151522 * g + 0.072175 * b) / WHITE[1]);
  const z = rooted((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / WHITE[2]);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** L*a*b* to the nearest that sRGB can show. */
export function rgbOf([lightness, a, b]: Lab): Rgb {
  const y = (lightness + 16) / 116;
  const [x, z] = [WHITE[0] * cubed(y + a / 500), WHITE[2] * cubed(y - b / 200)];
  const yy = cubed(y);
  return [
    encoded(3.2404542 * x - 1.5371385 * yy - 0.4985314 * z),
    encoded(-0.969266 * x + 1.8760108 * yy + 0.041556 * z),
    encoded(0.0556434 * x - 0.2040259 * yy + 1.0572252 * z),
  ];
}

function linear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function encoded(value: number): number {
  const inGamut = Math.min(1, Math.max(0, value));
  return Math.round(255 * (inGamut <= 0.0031308 ? 12.92 * inGamut : 1.055 * inGamut ** (1 / 2.4) - 0.055));
}

function rooted(value: number): number {
  return value > KNEE ** 3 ? Math.cbrt(value) : value / (3 * KNEE ** 2) + 4 / 29;
}

function cubed(value: number): number {
  return value > KNEE ? value ** 3 : 3 * KNEE ** 2 * (value - 4 / 29);
}
