import { useMutation, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { Fault, Skeleton } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, text } from '../../texts/text.ts';
import { SettingTable } from '../installation/setting-table.tsx';
import { useIsOn } from '../../pages/page-list.ts';
import { settingsQuery } from '../queries.ts';
import { ConnectionTest } from './connection-test.tsx';
import { HostingForm } from './hosting-form.tsx';
import { hostingQuery } from './queries.ts';

/** The server on which repositories are made, and whether it can be reached. */
export function HostingPage() {
  const words = adminText.repositories.hosting;
  useTitle(adminText.repositories.tabs.hosting);
  const isOn = useIsOn();
  const { data: hosting, error, refetch } = useQuery(hostingQuery);
  const test = useMutation({ mutationFn: () => dataOf(api.POST('/repohost/test')) });
  if (error && !hosting) return <Fault error={error} retry={() => void refetch()} />;
  return (
    <>
      <p className="quiet explanation">{words.intro}</p>
      {hosting ? (
        <div className="columns">
          <HostingForm hosting={hosting} saved={() => test.mutate()} forgotten={() => test.reset()} />
          <ConnectionTest isSet={hosting.server_url !== '' && hosting.access_token_set} test={test} />
        </div>
      ) : (
        <Skeleton style={{ height: 420, borderRadius: 14 }} />
      )}
      {isOn('monitoring') && <Settings />}
    </>
  );
}

/** What new repositories are like, and how long the server may take. */
function Settings() {
  const { data } = useQuery(settingsQuery);
  return (
    <section className="stack tight" aria-labelledby="hosting-settings">
      <h2 id="hosting-settings">{text.sections.settings}</h2>
      <SettingTable settings={data?.filter(({ section }) => section === 'repohost')} />
    </section>
  );
}
