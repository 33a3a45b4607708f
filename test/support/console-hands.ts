import { expect } from 'chai';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';

/** A way to use the console. */
export interface Hands {
  readonly name: string;
  readonly look: BrowserContextOptions;
  press(control: Locator): Promise<void>;
  /** Writes a text in place of what a field holds. */
  write(field: Locator, text: string): Promise<void>;
  /** Goes to a screen by the main menu. */
  goTo(page: Page, screen: string): Promise<void>;
}

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const mouse: Hands = {
  name: 'with the mouse',
  look: CLIPBOARD,
  press: (control) => control.click(),
  write: (field, text) => field.fill(text),
  goTo: (page, screen) => mainMenu(page).getByRole('link', { name: screen, exact: true }).click(),
};

const phone: Hands = {
  name: 'on a phone',
  look: { ...CLIPBOARD, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  press: (control) => control.tap(),
  write: async (field, text) => {
    await field.tap();
    await field.fill(text);
  },
  goTo: async (page, screen) => {
    await page.locator('[popovertarget=menu]').tap();
    await mainMenu(page).getByRole('link', { name: screen, exact: true }).tap();
  },
};

const keyboard: Hands = {
  name: 'with the keyboard alone',
  look: CLIPBOARD,
  press: async (control) => {
    await tabToControl(control);
    await control.page().keyboard.press('Enter');
  },
  write: async (field, text) => {
    await tabToControl(field);
    await field.page().keyboard.press('Control+A');
    await field.page().keyboard.type(text);
  },
  goTo: (page, screen) => keyboard.press(mainMenu(page).getByRole('link', { name: screen, exact: true })),
};

export const allHands: readonly Hands[] = [mouse, keyboard, phone];

function mainMenu(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Main' });
}

const MOST_TABS = 80;

/** Fails where the focus was lost before, as when the control that had it was taken away. */
async function tabToControl(control: Locator): Promise<void> {
  await control.waitFor();
  const page = control.page();
  const hadFocus = await page.evaluate('document.activeElement !== document.body || !window.wasFocused');
  expect(hadFocus, `something has the focus before ${String(control)} is sought`).to.equal(true);
  await page.evaluate('window.wasFocused = true');
  for (let i = 0; i < MOST_TABS; i += 1) {
    if (await control.evaluate((element) => element.matches(':focus-visible'))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${MOST_TABS} times Tab did not lead to ${String(control)}.`);
}
