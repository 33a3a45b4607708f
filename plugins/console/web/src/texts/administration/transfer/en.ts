import { count } from '../../count.ts';
import { showNumber } from '../../format.ts';

export const transfer = {
  intro:
    'The catalogue as a file: for another installation, or for version control. Accounts, keys and calls are not in it.',
  export: 'Export',
  what: 'What to export',
  scopes: {
    all: 'The whole catalogue',
    filtered: 'By type or status',
    chosen: 'Chosen algorithms',
  },
  choose: 'Add an algorithm by name',
  leaveOut: (name: string) => `Leave out ${name}`,
  withSections: 'With grants, limits and payload rules',
  format: 'Format',
  download: 'Download',
  exporting: 'Collecting …',
  import: 'Import',
  file: 'File',
  fileHint: 'YAML or JSON, as an export writes it.',
  prune: 'Delete what the file does not name',
  pruneHint: 'Algorithms, versions, examples, grants and policies.',
  skipUnknown: 'Ignore sections of disabled plugins',
  skipUnknownHint: 'Otherwise such a file is refused.',
  check: 'Check what would change',
  checking: 'Checking …',
  checkHint: 'This changes nothing yet.',
  nothing: 'Nothing to change: the catalogue already matches the file.',
  would: (changes: number) => `The import would make ${count(changes, 'change')}`,
  made: (changes: number) => `The import made ${count(changes, 'change')}`,
  counts: {
    create: (number: number) => `${showNumber(number)} created`,
    update: (number: number) => `${showNumber(number)} changed`,
    delete: (number: number) => `${showNumber(number)} deleted`,
  },
  unchanged: (number: number) => `${count(number, 'algorithm')} unchanged`,
  changes: 'Changes',
  action: 'Action',
  actions: { create: 'create', update: 'change', delete: 'delete' },
  thing: 'What',
  fields: 'Fields',
  apply: (changes: number) => `Make ${count(changes, 'change')}`,
  applying: 'Importing …',
  deleteTitle: (number: number) => `Delete ${count(number, 'entry', 'entries')}?`,
  deleteText: 'What is deleted here cannot be brought back, except from an export or a backup.',
  refused: (faults: number) => `The file has ${count(faults, 'error')}`,
  refusedText: 'Nothing was changed. Correct the file, and choose it again.',
  stopped: 'The import stopped. What it had done before stays; check again to see what is left.',
  unreadable: 'It was changed or moved after it was chosen. Choose it again.',
  faults: 'Errors',
  line: 'Line',
  fault: 'What is wrong',
};

/** Every text about import and export; each other language is a dictionary of this type. */
export type TransferTexts = typeof transfer;
