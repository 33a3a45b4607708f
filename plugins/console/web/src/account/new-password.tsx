import { entered } from '../parts/plain-text.ts';
import { TextField } from '../parts/text-field.tsx';
import { text } from '../texts/text.ts';

/** What `NewPassword` asks for. */
export function newPasswordIn(form: FormData) {
  return { password: entered(form, 'new'), revoke_api_keys: form.get('keys') === 'on' };
}

/** Asks for another password, and whether the API keys end with the present one. */
export function NewPassword(props: { readonly wrong: string | undefined; readonly autoFocus?: boolean }) {
  return (
    <>
      <TextField
        label={text.account.newPassword}
        name="new"
        type="password"
        autoComplete="new-password"
        autoFocus={props.autoFocus}
        hint={text.account.passwordHint}
        wrong={props.wrong}
      />
      <label className="choice">
        <input type="checkbox" name="keys" />
        <span>
          {text.account.revokeKeys}
          <small className="quiet">{text.account.revokeKeysHint}</small>
        </span>
      </label>
    </>
  );
}
