import type { ScanForm } from './values.ts'

type FieldResolver = (match: RegExpExecArray, form: ScanForm) => string

/** Form fields by settings path; the first match wins. */
const fieldPatterns: readonly [RegExp, FieldResolver | string][] = [
  [/^(include|exclude)Rules\.(\d+)/, ([, prefix, rowIndex]) => `${prefix}Rules.${rowIndex}.pattern`],
  [/^commonComponents\.templateUrls/, 'templateUrls'],
  [/^commonComponents\.components\.(\d+)\.selectors/, ([, row]) => `components.${row}.selectors`],
  [/^commonComponents\.components\.(\d+)/, ([, row]) => `components.${row}.name`],
  [/^commonComponents\.components/, 'components'],
  [/^commonComponents/, 'templateUrls'],
  [/^scripts\.own\.(\d+)\.(name|type)/, ([, row, field]) => `ownScripts.${row}.${field}`],
  [/^scripts\.own\.(\d+)/, ([, row]) => `ownScripts.${row}.text`],
  [
    /^scripts\.shared\.(\d+)/,
    ([, row], form) => (Number(row) < form.sharedTasks.length ? 'sharedTasks' : 'sharedSession'),
  ],
  [/^scripts\.shared/, 'sharedTasks'],
  [/^scripts\.variables\.(\d+)\.(name|value)/, ([, row, field]) => `variables.${row}.${field}`],
  [/^scripts/, 'sharedTasks'],
  [/^session\.mark\.means/, 'markMeans'],
  [/^session\.mark\.kind/, 'markKind'],
  [/^session\.mark/, 'markValue'],
  [/^session\.connection\.keystoreName/, 'keystore'],
  [/^session\.connection\.(\w+)/, ([, field]) => String(field)],
  [/^session/, 'authType'],
  [/^schedule\.timeoutMs/, 'timeoutHours'],
  [/^schedule\.day\.kind/, 'dayKind'],
  [/^schedule\.day\.week$/, 'dayWeek'],
  [/^schedule\.day\.weekday/, 'dayWeekday'],
  [/^schedule\.day/, 'dayNumber'],
  [/^schedule\.end\.kind/, 'endKind'],
  [/^schedule\.end\.date/, 'endDate'],
  [/^schedule\.end/, 'endRuns'],
  [/^schedule\.(\w+)/, ([, field]) => String(field)],
  [/^notification\.specificUsers/, 'specificUsers'],
  [/^notification\.(\w+)/, ([, field]) => String(field)],
  [/^access\.groups/, 'groups'],
  [/^access/, 'teams'],
  [/^sources\.urls/, 'listedUrls'],
  [/^sources\.(\w+)/, ([, field]) => String(field)],
  [/^advanced\.extraHeaders\.(\d+)\.(name|value)/, ([, row, field]) => `extraHeaders.${row}.${field}`],
  [/^advanced\.extraHeaders/, 'extraHeaders.0.name'],
  [/^advanced\.keywordRules\.(\w+)/, ([, field]) => String(field)],
  [/^advanced\.keywordRules/, 'mustHaveAll'],
  // If no content type is selected, the error appears at the first checkbox.
  [/^advanced\.mimeTypes/, 'testPages'],
  [/^(?:advanced|ruleSet)\.(\w+)/, ([, field]) => String(field)],
  // Errors of a whole part appear at its first field.
  [/^ruleSet/, 'standard'],
  [/^sources/, 'followLinks'],
  [/^schedule/, 'frequency'],
  [/^notification/, 'events'],
  [/^advanced/, 'preScanWaitMs'],
  [/^(\w+)/, ([, field]) => String(field)],
]

/** Returns the form field of a settings path; null if there is none. */
export function findFormField(path: string, formValues: ScanForm): string | null {
  const settingsPath = path.replace(/^settings\./, '')
  for (const [pattern, resolver] of fieldPatterns) {
    const pathMatch = pattern.exec(settingsPath)
    if (!pathMatch) continue
    const formField = typeof resolver === 'string' ? resolver : resolver(pathMatch, formValues)
    return (formField.split('.')[0] ?? '') in formValues ? formField : null
  }
  return null
}
