import { findSecretName } from '../secret/model.ts'

/** A step of a recording without a counterpart: its number from 1, and its type. */
export type SkippedStep = { step: number; type: string }
export type ImportedRecording =
  | {
      ok: true
      /** A script as indented JSON. */
      text: string
      skipped: SkippedStep[]
      /** Variables that stand for what was typed into fields for passwords and codes. Their values are not in the script. */
      variables: string[]
    }
  | { ok: false; expected: string }

type RecordedStep = Readonly<Record<string, unknown>>
type RecordedPage = { name: string; url: string; actions: string[] }

const isRecord = (value: unknown): value is RecordedStep => typeof value === 'object' && value !== null && !Array.isArray(value)
const getText = (step: RecordedStep, name: string): string | null => (typeof step[name] === 'string' ? step[name] : null)

/** Recordings offer several selectors per step, each a chain through shadow roots. CSS takes precedence over XPath. */
function findSelector(step: RecordedStep): string | null {
  const selectorChains = (Array.isArray(step.selectors) ? step.selectors : [])
    .map((chain: unknown) => (typeof chain === 'string' ? [chain] : chain))
    .filter((chain): chain is string[] => Array.isArray(chain) && chain.every((part) => typeof part === 'string'))
  const cssChain = selectorChains.find((chain) => chain.every((part) => !/^(aria|text|xpath)\//.test(part)))
  // CSS in the script language pierces open shadow roots, so the parts of a chain become descendants.
  if (cssChain && cssChain.length > 0) return cssChain.map((part) => part.replace(/^(pierce|css)\//, '')).join(' ')
  const xpathChain = selectorChains.find((chain) => chain.length === 1 && chain[0]!.startsWith('xpath/'))
  return xpathChain ? `xpath=${xpathChain[0]!.slice(6)}` : null
}

function buildTarget(step: RecordedStep): string | null {
  const stepSelector = findSelector(step)
  if (stepSelector === null) return null
  const frameIndexes = (Array.isArray(step.frame) ? step.frame : []).filter((frameIndex) => Number.isInteger(frameIndex))
  if (frameIndexes.length === 0) return `"${stepSelector.replaceAll('"', '\\"')}"`
  const framePath = frameIndexes.map((frameIndex) => `xpath=(//iframe | //frame)[${Number(frameIndex) + 1}]`)
  return JSON.stringify([...framePath, stepSelector])
}

/** Texts of a step that tell which field it is: labels and selectors. */
const listFieldTexts = ({ selectors }: RecordedStep): string[] =>
  (Array.isArray(selectors) ? selectors.flat() : []).filter((text): text is string => typeof text === 'string')

/** Variables for the secrets of a recording: one for each different value. */
function openSecretNames() {
  const namesByValue = new Map<string, string>()
  return {
    list: () => [...namesByValue.values()],
    findName(value: string, step: RecordedStep): string | null {
      const baseName = findSecretName(listFieldTexts(step))
      // A value that was typed into a password field is secret in other fields, too.
      if (baseName === null) return namesByValue.get(value) ?? null
      const sameNames = [...namesByValue.values()].filter((name) => name.startsWith(baseName))
      const name = namesByValue.get(value) ?? (sameNames.length === 0 ? baseName : `${baseName}_${sameNames.length + 1}`)
      namesByValue.set(value, name)
      return name
    },
  }
}
type SecretNames = ReturnType<typeof openSecretNames>

const quoteText = (text: string): string => `"${text.replaceAll('"', '\\"')}"`
type WriteStep = (target: string, step: RecordedStep, secretNames: SecretNames) => string[] | null
const createTargetWriter = (writeStep: WriteStep) => (step: RecordedStep, secretNames: SecretNames) => {
  const stepTarget = buildTarget(step)
  return stepTarget === null ? null : writeStep(stepTarget, step, secretNames)
}

/** Actions for each type of step; null if it cannot be expressed. */
const stepWriters: ReadonlyMap<string, (step: RecordedStep, secretNames: SecretNames) => string[] | null> = new Map(
  Object.entries({
    setViewport: () => [],
    close: () => [],
    keyUp: () => [],
    click: createTargetWriter((target) => [`click element ${target}`]),
    doubleClick: createTargetWriter((target) => [`click element ${target}`, `click element ${target}`]),
    change: createTargetWriter((target, step, secretNames) => {
      const changedValue = getText(step, 'value')
      if (changedValue === null) return null
      const secretName = changedValue === '' ? null : secretNames.findName(changedValue, step)
      return [`type ${secretName === null ? quoteText(changedValue) : `"<${secretName}>"`} into element ${target}`]
    }),
    waitForElement: createTargetWriter((target) => [`wait for element ${target} to be found`]),
    keyDown: (step) => {
      const pressedKey = getText(step, 'key')
      return pressedKey === null ? null : [`press ${quoteText(pressedKey)} on ":focus"`]
    },
  }),
)

/**
 * Converts a recording of Chrome DevTools' Recorder (JSON) to a script: each navigation starts a page. For a task, the final
 * state of the last page is analyzed. Passwords and codes become variables. Steps without a counterpart (scrolling, hovering, custom steps) are listed, not guessed.
 */
export function importRecording(text: string, type: 'TASK' | 'SESSION'): ImportedRecording {
  const invalidRecording: ImportedRecording = { ok: false, expected: 'a recording as JSON, with title and steps' }
  let parsedRecording: unknown
  try {
    parsedRecording = JSON.parse(text)
  } catch {
    return invalidRecording
  }
  if (!isRecord(parsedRecording) || !Array.isArray(parsedRecording.steps)) return invalidRecording
  const recordingTitle = getText(parsedRecording, 'title') || 'Recording'
  const recordedPages: RecordedPage[] = []
  const skippedSteps: SkippedStep[] = []
  const secretNames = openSecretNames()
  for (const [index, step] of parsedRecording.steps.entries()) {
    const stepType = isRecord(step) ? (getText(step, 'type') ?? 'unknown') : 'unknown'
    const navigatedUrl = isRecord(step) && stepType === 'navigate' ? getText(step, 'url') : null
    if (navigatedUrl !== null) recordedPages.push({ name: `Page ${recordedPages.length + 1}`, url: navigatedUrl, actions: [] })
    else {
      const stepWriter = stepWriters.get(stepType)
      const stepActions = stepWriter && isRecord(step) ? stepWriter(step, secretNames) : null
      const currentPage = recordedPages.at(-1)
      if (stepActions && (currentPage || stepActions.length === 0)) currentPage?.actions.push(...stepActions)
      else skippedSteps.push({ step: index + 1, type: stepType })
    }
  }
  if (recordedPages.length === 0) return { ok: false, expected: 'a step that navigates to a URL' }
  const lastPage = recordedPages.at(-1)!
  if (type === 'TASK' && lastPage.actions.length > 0) lastPage.actions.push('analyze page')
  const scriptPages = recordedPages.map(({ actions, ...page }) => (actions.length > 0 ? { ...page, actions } : page))
  const scriptObject = { projects: [{ name: recordingTitle, id: 'recording', pageList: scriptPages }] }
  return { ok: true, text: `${JSON.stringify(scriptObject, null, 2)}\n`, skipped: skippedSteps, variables: secretNames.list() }
}
