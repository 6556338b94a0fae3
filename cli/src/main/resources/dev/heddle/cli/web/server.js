// Asks the server of this page. All addresses are relative: the token is a part of the page's own address.

/** The name of this page among those that look at the same dashboard. */
const viewer = crypto.randomUUID();

async function get(path, query) {
  const answer = await fetch(`${path}?${new URLSearchParams(query)}`, { cache: 'no-store' });
  if (!answer.ok) {
    throw new Error((await answer.text()).trim());
  }
  return answer.json();
}

/** The figures of a scheduler: the points after the given number, and what the page shows beside them. */
export const figures = (scheduler, after) => get('figures', { viewer, scheduler, after });

/** The groups of goroutines that match a search. */
export const goroutines = (scheduler, search) => get('goroutines', { scheduler, search });

/** Begins to record a trace. Fails with the server's sentence if that cannot be. */
export async function record(seconds) {
  const answer = await fetch(`record?${new URLSearchParams({ seconds })}`, { method: 'POST' });
  if (!answer.ok) {
    throw new Error((await answer.text()).trim());
  }
}

/** Says that this page leaves, so that the observed program is left alone at once. */
export const leave = () => navigator.sendBeacon(`leave?${new URLSearchParams({ viewer })}`);
