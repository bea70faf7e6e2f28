import type { ScriptAction, ScriptType } from '@clearway/contract/monitor/script/schema.ts'

export type ActionName = ScriptAction['do']

/** An example of each action, in typical order of use. */
export const actionExamples: readonly { does: ActionName; example: string }[] = [
  { does: 'click', example: 'click element "#sign-in"' },
  { does: 'type', example: 'type "<PASSWORD>" into element "#password"' },
  { does: 'press', example: 'press "Enter" on "#search"' },
  { does: 'select', example: 'select the "France" option in "#country"' },
  { does: 'wait-for', example: 'wait for element ".results" to be found' },
  { does: 'wait', example: 'wait for 3s' },
  { does: 'dismiss', example: 'dismiss modal "#cookies" with close button "#accept"' },
  { does: 'analyze', example: 'analyze with title "Basket"' },
  { does: 'eval', example: 'eval "window.scrollTo(0, 500)"' },
]

/** A complete script of each type, to copy and adapt. */
export const scriptExamples: Record<ScriptType, string> = {
  TASK: `projects:
  - name: Shop
    id: shop
    pageList:
      - name: Basket
        url: https://www.example.org/basket
        actions:
          - click element "#add"
          - wait for element ".basket" to be found
          - analyze with title "One thing in it"`,
  SESSION: `projects:
  - name: Sign in
    id: sign-in
    pageList:
      - name: Sign-in
        url: https://www.example.org/sign-in
        actions:
          - type "<USER>" into element "#user"
          - type "<PASSWORD>" into element "#password"
          - click element "button[type=submit]"
          - wait for element "#account" to be found`,
}
