import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { anyOpenedState, darkState, openedStatePrefix, phoneState } from '@clearway/contract/monitor/ruleset/drive/schema.ts'

export const stateLabels = {
  [phoneState]: msg`390 pixels wide`,
  [darkState]: msg`Dark color scheme`,
  [anyOpenedState]: msg`Opened menus and dialogs`,
} as const

export function getStateName(state: string, t: (message: MessageDescriptor) => string): string {
  if (Object.hasOwn(stateLabels, state)) return t(stateLabels[state as keyof typeof stateLabels])
  const windowWidth = /^(\d+) px$/.exec(state)?.[1]
  if (windowWidth !== undefined) return t(msg`${windowWidth} pixels wide`)
  if (!state.startsWith(openedStatePrefix)) return state
  const openedName = state.slice(openedStatePrefix.length)
  return t(msg`Opened: ${openedName}`)
}
