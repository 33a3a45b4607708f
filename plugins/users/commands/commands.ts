import { accountCommands } from './account-commands.ts';
import { createAdmin } from './create-admin.ts';

export const commands = [createAdmin, ...accountCommands];
