import type { SupervisedJob } from '@bailiwick/dispatch-state';

/** The job with the gateway's address where its order left a placeholder: in arguments, environment and files. */
export function placeGateway(job: SupervisedJob, url: string): SupervisedJob {
  const { gateway, ownHome } = job;
  if (gateway === undefined) return job;
  const place = (text: string): string => text.replaceAll(gateway.placeholder, url);
  return {
    ...job,
    argv: job.argv.map(place),
    env: Object.fromEntries(Object.entries(job.env).map(([name, value]) => [name, place(value)])),
    ...(ownHome === undefined
      ? {}
      : { ownHome: { ...ownHome, files: ownHome.files.map(({ below, text }) => ({ below, text: place(text) })) } }),
  };
}
