/** The page: who has no key is asked for one, who has one gets the desk. */
import { openApi } from './api.js';
import { type Desk, openDesk } from './desk.js';
import { get } from './dom.js';
import { Refused } from './problem.js';
import { clearProblem, drawProblem } from './problem-view.js';
import { count } from './words.js';

/** Of this tab alone, and gone with it. */
const STORED = 'fintext-key';

const [door, desk, problem] = [get('door', HTMLElement), get('desk', HTMLElement), get('problem', HTMLElement)];
const [input, account, leave] = [
  get('key', HTMLInputElement),
  get('account', HTMLElement),
  get('leave', HTMLButtonElement),
];
let opened: Desk | undefined;

const showDoor = (): void => {
  opened?.close();
  opened = undefined;
  sessionStorage.removeItem(STORED);
  account.textContent = '';
  leave.hidden = true;
  desk.hidden = true;
  door.hidden = false;
  get('skip', HTMLElement).hidden = true;
  input.value = '';
  input.focus();
};

const leaveDesk = (): void => {
  clearProblem(problem);
  showDoor();
};

const enter = async (key: string): Promise<void> => {
  let who = '';
  const tell = (remaining: number): void => {
    account.textContent = `${who} · ${count(remaining, 'request')} left`;
    account.title = 'Requests that the plan has left this month';
  };
  const api = openApi(key, (remaining) => {
    if (who !== '') tell(remaining);
  });
  try {
    const { email, org, tier, quota } = await api.usage();
    sessionStorage.setItem(STORED, key);
    who = `${org || email} · ${tier}`;
    tell(quota.remaining);
    clearProblem(problem);
    leave.hidden = false;
    door.hidden = true;
    desk.hidden = false;
    get('skip', HTMLElement).hidden = false;
    opened = openDesk(api, leaveDesk);
  } catch (error) {
    showDoorAfter(error, key);
  }
};

const showDoorAfter = (error: unknown, key: string): void => {
  const isWrong = error instanceof Refused && error.status === 401;
  showDoor();
  if (!isWrong) input.value = key;
  drawProblem(problem, { error, onRetry: () => void enter(key), onKey: leaveDesk });
};

get('key-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  clearProblem(problem);
  void enter(input.value.trim());
});
leave.addEventListener('click', leaveDesk);
// What stands behind # is what was chosen: following the link would choose nothing.
get('skip', HTMLElement).addEventListener('click', (event) => {
  event.preventDefault();
  desk.focus();
});

const kept = sessionStorage.getItem(STORED);
if (kept === null) showDoor();
else void enter(kept);
