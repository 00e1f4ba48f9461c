/** A list to choose several from, by mouse, by touch or by keys, with a field that narrows it: an ARIA combobox. */
import { button, element } from './dom.js';
import { MOST } from './selection.js';

export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly note: string;
}

export interface PickerOptions {
  /** Of the element that becomes the picker, and the beginning of the ids in it. */
  readonly host: HTMLElement;
  readonly label: string;
  readonly hint: string;
  readonly onChange: (chosen: readonly string[]) => void;
}

export interface Picker {
  readonly show: (choices: readonly Choice[], chosen: readonly string[]) => void;
}

/** Entries that the list shows at once; the field narrows down the rest. */
const MOST_SHOWN = 200;

export const openPicker = ({ host, label, hint, onChange }: PickerOptions): Picker => {
  let choices: readonly Choice[] = [];
  let chosen: readonly string[] = [];
  let found: readonly Choice[] = [];
  let active = -1;

  const listId = `${host.id}-list`;
  const input = element('input', {
    id: `${host.id}-input`,
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: hint,
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': listId,
    'aria-describedby': `${host.id}-said`,
  });
  const chips = element('div', { class: 'chips' });
  const list = element('ul', { id: listId, role: 'listbox', 'aria-multiselectable': 'true', 'aria-label': label });
  const said = element('p', { id: `${host.id}-said`, class: 'quiet', role: 'status' });
  list.hidden = true;
  host.classList.add('picker');
  host.replaceChildren(
    element('label', { for: input.id }, label),
    element('div', { class: 'field' }, chips, input),
    list,
    said,
  );

  const nameOf = (value: string): string => choices.find((choice) => choice.value === value)?.name ?? value;

  const drawChips = (): void => {
    chips.replaceChildren(
      ...chosen.map((value) =>
        button(nameOf(value), { class: 'chip', 'aria-label': `Leave out ${nameOf(value)}`, title: value }, () => {
          toggle(value);
          input.focus();
        }),
      ),
    );
  };

  const drawList = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = choices
      .filter(({ value, name, note }) => {
        const text = `${value} ${name} ${note}`.toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .slice(0, MOST_SHOWN);
    active = Math.min(active, found.length - 1);
    list.replaceChildren(
      ...found.map(({ value, name, note }, at) => {
        const option = element(
          'li',
          {
            id: `${listId}-${at}`,
            role: 'option',
            'aria-selected': String(chosen.includes(value)),
            class: at === active ? 'active' : undefined,
          },
          element('span', { class: 'name' }, name),
          element('span', { class: 'note' }, note),
        );
        option.addEventListener('click', () => toggle(value));
        return option;
      }),
    );
    if (found.length === 0) list.replaceChildren(element('li', { class: 'none' }, 'Nothing is called that.'));
    if (active >= 0) input.setAttribute('aria-activedescendant', `${listId}-${active}`);
    else input.removeAttribute('aria-activedescendant');
    if (!list.hidden && active >= 0) list.children[active]?.scrollIntoView({ block: 'nearest' });
  };

  const open = (isOpen: boolean): void => {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) {
      active = -1;
      input.value = '';
    }
    drawList();
  };

  const toggle = (value: string): void => {
    const isChosen = chosen.includes(value);
    if (isChosen && chosen.length === 1) {
      said.textContent = `${nameOf(value)} is the only one chosen; choose another first.`;
      return;
    }
    if (!isChosen && chosen.length >= MOST) {
      said.textContent = `${MOST} are the most that a chart tells apart; leave one out first.`;
      return;
    }
    chosen = isChosen ? chosen.filter((other) => other !== value) : [...chosen, value];
    said.textContent = '';
    input.value = '';
    drawChips();
    drawList();
    onChange(chosen);
  };

  // Else a press on the list takes the focus from the field, and the list closes before it is clicked.
  list.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse') event.preventDefault();
  });
  list.addEventListener('mousedown', (event) => event.preventDefault());
  host.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && host.contains(relatedTarget))) open(false);
  });
  input.addEventListener('focus', () => open(true));
  input.addEventListener('click', () => open(true));
  input.addEventListener('input', () => {
    active = input.value === '' ? -1 : 0;
    open(true);
  });
  input.addEventListener('keydown', (event) => {
    const move = (to: number): void => {
      event.preventDefault();
      if (list.hidden) open(true);
      active = Math.max(0, Math.min(found.length - 1, to));
      drawList();
    };
    switch (event.key) {
      case 'ArrowDown':
        return move(active + 1);
      case 'ArrowUp':
        return move(active - 1);
      case 'Enter': {
        event.preventDefault();
        const choice = found[active];
        if (choice !== undefined) toggle(choice.value);
        return;
      }
      case 'Escape':
        return open(false);
      case 'Backspace': {
        const last = chosen.at(-1);
        if (input.value === '' && last !== undefined) toggle(last);
        return;
      }
    }
  });

  return {
    show: (next, values) => {
      choices = next;
      chosen = values;
      drawChips();
      drawList();
    },
  };
};
