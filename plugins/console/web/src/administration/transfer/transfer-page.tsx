import { useTitle } from '../../parts/title.ts';
import { adminText, text } from '../../texts/text.ts';
import { ExportCard } from './export-card.tsx';
import { ImportCard } from './import-card.tsx';

/** Carries the catalogue from one installation to another. */
export function TransferPage() {
  useTitle(text.sections.transfer);
  return (
    <>
      <div className="page-head">
        <h1>{text.sections.transfer}</h1>
        <p className="quiet">{adminText.transfer.intro}</p>
      </div>
      <ExportCard />
      <ImportCard />
    </>
  );
}
