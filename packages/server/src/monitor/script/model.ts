import type {
  Script,
  ScriptAction,
  ScriptError,
  ScriptStep,
  ScriptTarget,
  Selector,
} from '@clearway/contract/monitor/script/schema.ts'
import { listTypedSecrets } from '@clearway/contract/monitor/script/secret/model.ts'
import { isCssSelector } from '../../kit/selector/css.ts'
import { isXPathOfNodes } from '../../kit/selector/xpath.ts'

/** Names of keys besides the characters of a US keyboard, as the browser's driver knows them. */
const keyNames = new Set(
  `Escape F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 Backquote Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0
  Minus Equal Backslash Backspace Tab KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight CapsLock
  KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Enter Shift ShiftLeft KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma
  Period Slash ShiftRight Control ControlLeft ControlOrMeta Meta MetaLeft Alt AltLeft Space AltRight AltGraph MetaRight
  ContextMenu ControlRight PrintScreen ScrollLock Pause PageUp PageDown Insert Delete Home End ArrowLeft ArrowUp ArrowRight
  ArrowDown AudioVolumeMute AudioVolumeDown AudioVolumeUp MediaTrackNext MediaTrackPrevious MediaPlayPause NumLock NumpadDivide
  NumpadMultiply NumpadSubtract Numpad7 Numpad8 Numpad9 Numpad4 Numpad5 Numpad6 NumpadAdd Numpad1 Numpad2 Numpad3 Numpad0
  NumpadDecimal NumpadEnter`.split(/\s+/),
)

/** Splits `Control+Shift+A` at its plus signs; one at the start of a key is the key itself. */
function splitKeys(text: string): string[] {
  const keys = ['']
  for (const character of text)
    if (character === '+' && keys.at(-1) !== '') keys.push('')
    else keys[keys.length - 1] += character
  return keys
}

/** True for a key or a combination, such as `Enter`, `a` or `Control+Shift+T`. */
const isKey = (text: string): boolean => splitKeys(text).every((key) => keyNames.has(key) || /^[ -~]$/.test(key))

const placeholderPattern = /<[A-Za-z_][A-Za-z0-9_]*>/
/** Extensions of the driver, which no browser knows: chains, and pseudo-classes for texts and positions. */
const driverPattern = />>|:(?:has-text|text|text-is|text-matches|visible|nth-match|above|below|near|left-of|right-of)\b/

const isUsable = ({ kind, text }: Selector): boolean =>
  placeholderPattern.test(text) || driverPattern.test(text) || (kind === 'xpath' ? isXPathOfNodes(text) : isCssSelector(text))

const listTargets = (action: ScriptAction): ScriptTarget[] =>
  action.do === 'dismiss' ? [action.modal, action.close] : 'target' in action ? [action.target] : []

type StepFault = { read: string; expected: string }

/** The part of a sentence that no run can perform; null for none. */
function findStepFault({ action }: ScriptStep, { allowsEval }: { allowsEval: boolean }): StepFault | null {
  if (action.do === 'eval' && !allowsEval)
    return { read: 'eval', expected: 'another action: this server does not allow eval (CLEARWAY_SCRIPT_EVAL)' }
  const brokenSelector = listTargets(action)
    .flatMap(({ frames, element }) => [...frames, element])
    .find((selector) => !isUsable(selector))
  if (brokenSelector)
    return { read: brokenSelector.text, expected: brokenSelector.kind === 'xpath' ? 'an XPath of elements' : 'a CSS selector' }
  if (action.do === 'press' && !placeholderPattern.test(action.key) && !isKey(action.key))
    return { read: action.key, expected: 'a key such as Enter, Tab, ArrowDown, a or Control+A' }
  return null
}

/** Errors of passwords and codes that are texts of the script, which more people can read than its variables. */
const findSecretErrors = (script: Script): ScriptError[] =>
  listTypedSecrets(script).map(({ line, target }) => ({
    code: 'bad-action',
    line,
    column: 1,
    read: `a text for ${target}`,
    expected: 'a variable, such as <PASSWORD>: its value is stored encrypted and never shown',
    hint: null,
  }))

/** Errors of a script that can be read, but not performed. */
export const findStepErrors = (script: Script, options: { allowsEval: boolean }): ScriptError[] => [
  ...findActionErrors(script, options),
  ...findSecretErrors(script),
]

const findActionErrors = ({ globalSteps, pages }: Script, options: { allowsEval: boolean }): ScriptError[] =>
  [...globalSteps, ...pages.flatMap(({ steps }) => steps)].flatMap((step) => {
    const fault = findStepFault(step, options)
    const { line, text } = step
    return fault ? [{ code: 'bad-action', line, column: Math.max(0, text.indexOf(fault.read)) + 1, ...fault, hint: null }] : []
  })
