import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { pageLimitOf } from '@clearway/contract/monitor/scan/schema.ts'
import { standards } from '@clearway/contract/monitor/ruleset/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { useNoMail } from '../../user/parts/use-no-mail.ts'
import { newValues } from '../form/model.ts'
import type { Step } from '../form/step-name.ts'
import { namesOfFields, stepFields } from '../form/field-table.ts'
import { changedFields } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import { lines } from '../form/values.ts'
import { presetNamesQuery } from '../queries.ts'

/** The form as it is, complete. */
const useValues = (): ScanForm => {
  const { getValues, control } = useFormContext<ScanForm>()
  useWatch({ control })
  return getValues()
}

/** How many of a step's settings are not as a new scan has them, and which. */
function useUnusual() {
  const { t } = useLingui()
  return (values: ScanForm, step: Step): string[] => {
    const changed = changedFields(newValues(), values).filter((field) => stepFields[step].includes(field))
    return namesOfFields(changed, t)
  }
}

function useBasicFacts() {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  return ({ type, pageLimit, standard, testPages, testPdfs }: ScanForm): string[] => {
    const limit = pageLimitOf({ type, pageLimit: Number(pageLimit) })
    const pages = number(Number.isFinite(limit) ? limit : 0)
    const words = {
      quick: t`Quick, up to ${pages} pages`,
      standard: t`Standard, up to ${pages} pages`,
      large: t`Large, up to ${pages} pages`,
      custom: t`${plural(Number.isFinite(limit) ? limit : 0, { one: 'Custom, up to # page', other: 'Custom, up to # pages' })}`,
    }
    return [
      words[type],
      standards[standard].name,
      ...(testPages ? [t`Test web pages`] : []),
      ...(testPdfs ? [t`Test PDFs`] : []),
    ]
  }
}

function useScheduleFacts() {
  const { t } = useLingui()
  const noMail = useNoMail()
  return ({
    frequency,
    startDate,
    startTime,
    timeZone,
    events,
    me,
    allTeamMembers,
    notifyOthers,
  }: ScanForm) => {
    const words = {
      manual: t`Manual`,
      once: t`Once`,
      weekly: t`Weekly`,
      monthly: t`Monthly`,
    }
    const recipients = (me && !noMail.me) || allTeamMembers || notifyOthers
    const mailed = !noMail.everybody && recipients && events.length > 0
    return [
      words[frequency],
      ...(frequency === 'manual' ? [] : [`${startDate}, ${startTime}, ${timeZone.replaceAll('_', ' ')}`]),
      mailed ? t`Email is sent` : t`No email is sent`,
    ]
  }
}

/** What was chosen in a step, in short words; the first says most. */
export function useFacts(step: Step): string[] {
  const { t } = useLingui()
  const { api } = useSession()
  const values = useValues()
  const presets = useQuery({ ...presetNamesQuery(api), enabled: values.presetId !== '' })
  const [basic, schedule, unusual] = [useBasicFacts(), useScheduleFacts(), useUnusual()]
  const none = t`None`
  const rules = values.excludeRules.length + values.includeRules.length
  const scripts = values.ownScripts.length + values.sharedTasks.length + (values.sharedSession ? 1 : 0)
  const teams = Object.keys(values.teams).length
  const count = (number: number, words: string) => (number === 0 ? none : words)
  const facts: Record<Step, () => string[]> = {
    general: () => [values.name, ...lines(values.urls).slice(0, 3)],
    preset: () => [
      values.presetId === '' ? none : (presets.data?.find(({ id }) => id === values.presetId)?.name ?? '…'),
    ],
    basic: () => basic(values),
    components: () => [
      count(
        values.components.length,
        t`${plural(values.components.length, { one: '# component', other: '# components' })}`,
      ),
    ],
    scripts: () => [count(scripts, t`${plural(scripts, { one: '# script', other: '# scripts' })}`)],
    scope: () => [
      rules === 0 ? t`No URL rules` : t`${plural(rules, { one: '# URL rule', other: '# URL rules' })}`,
      ...unusual(values, 'scope'),
    ],
    session: () => [
      values.authType === '' ? t`No sign-in` : t`Signs in as ${values.username || values.keystoreName}`,
    ],
    advanced: () => {
      const changed = unusual(values, 'advanced')
      return changed.length === 0 ? [t`Defaults`] : changed
    },
    access: () => [count(teams, t`${plural(teams, { one: '# team', other: '# teams' })}`)],
    schedule: () => schedule(values),
    review: () => [],
  }
  return facts[step]().filter(Boolean)
}
