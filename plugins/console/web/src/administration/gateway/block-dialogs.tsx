import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { Confirmation } from '../../parts/confirmation.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';
import { BlockForm, type BlockFields } from './block-form.tsx';
import { blockQuery, type Block } from './queries.ts';
import { showSubject, useSubjectNames } from './subjects.ts';

interface Closable {
  readonly close: () => void;
}

/** Blocks somebody or something. */
export function NewBlock({ close }: Closable) {
  const words = adminText.gateway.blocks;
  const create = useChange((body: BlockFields) => dataOf(api.POST('/gateway/blocks', { body })), close);
  return (
    <FormDialog title={words.add} close={close}>
      <BlockForm action={words.create} change={create} cancel={close} />
    </FormDialog>
  );
}

/** Changes a block, wherever in the list it is. */
export function ChangeBlock({ id, close }: Closable & { readonly id: string }) {
  const { data: block, error } = useQuery(blockQuery(id));
  const nameOf = useSubjectNames(block ? [block] : []);
  const change = useChange(
    (body: BlockFields) =>
      dataOf(api.PUT('/gateway/blocks/{block_id}', { params: { path: { block_id: id } }, body })),
    close,
  );
  if (!block && !error) return null;
  const title = block
    ? adminText.gateway.blocks.title(showSubject(block.subject, nameOf(block)))
    : text.errors.notFoundTitle;
  return (
    <FormDialog title={title} close={close}>
      {block ? (
        <BlockForm block={block} action={text.keys.save} change={change} cancel={close} />
      ) : (
        <Fault error={error} />
      )}
    </FormDialog>
  );
}

/** Lifts a block. */
export function LiftBlock({ block, close }: Closable & { readonly block: Block }) {
  const words = adminText.gateway.blocks;
  const nameOf = useSubjectNames([block]);
  const path = { block_id: block.id };
  return (
    <Confirmation
      title={words.liftTitle(showSubject(block.subject, nameOf(block)))}
      action={words.lift}
      run={() => dataOf(api.DELETE('/gateway/blocks/{block_id}', { params: { path } }))}
      close={close}
    >
      <p>{words.liftText}</p>
    </Confirmation>
  );
}
