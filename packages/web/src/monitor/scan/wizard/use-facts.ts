import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { getPageLimit } from '@clearway/contract/monitor/scan/schema.ts'
import type { SignInWay } from '@clearway/contract/monitor/session/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { useFormats } from '../../../kit/text/format.ts'
import { useRuleSetNames } from '../../ruleset/parts/rule-set-names.ts'
import { useSession } from '../../user/model.ts'
import { useSignInTexts } from '../parts/sign-in-kind.ts'
import { useMailUnavailability } from '../../user/parts/use-mail-unavailability.ts'
import { type WizardStep, wizardSteps } from '../form/step-name.ts'
import { getFieldNames, stepFields } from '../form/field-table.ts'
import { findCustomizedFields } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import { presetNamesQuery } from '../queries.ts'

const useCurrentValues = (): ScanForm => {
  const { getValues, control } = useFormContext<ScanForm>()
  useWatch({ control })
  return getValues()
}

/** Names of the fields that differ from a new scan, after their number: a name alone reads as if the field were on. */
function useChangeFactsGetter() {
  const { t } = useLingui()
  return (values: ScanForm, step: WizardStep): string[] => {
    const changedStepFields = findCustomizedFields(values).filter((field) => stepFields[step].includes(field))
    const names = getFieldNames(changedStepFields, t)
    const countText = t`${plural(names.length, { one: '# setting changed', other: '# settings changed' })}`
    return names.length === 0 ? [] : [countText, ...names]
  }
}

function useBasicFactsGetter() {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const getRuleSetNames = useRuleSetNames()
  return ({ type, pageLimit, ruleSet, advanced }: ScanForm): string[] => {
    const effectiveLimit = getPageLimit({ type, pageLimit: Number(pageLimit) })
    const formattedLimit = formatNumber(Number.isFinite(effectiveLimit) ? effectiveLimit : 0)
    const sizeLabels = {
      quick: t`Quick, up to ${formattedLimit} pages`,
      standard: t`Standard, up to ${formattedLimit} pages`,
      large: t`Large, up to ${formattedLimit} pages`,
      custom: t`${plural(Number.isFinite(effectiveLimit) ? effectiveLimit : 0, { one: 'Custom, up to # page', other: 'Custom, up to # pages' })}`,
    }
    return [
      sizeLabels[type],
      ...getRuleSetNames(ruleSet),
      ...(advanced.mimeTypes.includes('text/html') ? [t`Test web pages`] : []),
      ...(advanced.mimeTypes.includes('application/pdf') ? [t`Test PDFs`] : []),
    ]
  }
}

/** Returns a function that says how a scan signs in, and as which user. */
function useSignInFactsGetter() {
  const getSignInTexts = useSignInTexts()
  return ({ session: { connection }, scripts }: ScanForm): string[] => {
    const { authType } = connection
    const ways: SignInWay[] = scripts.own.filter(({ type }) => type === 'SESSION').map(({ name }) => ({ kind: 'script', name }))
    if (scripts.sharedSession !== '') ways.push({ kind: 'script', name: null })
    if (authType !== '')
      ways.unshift({ kind: authType, name: (authType === 'client_cer' ? connection.keystoreName : connection.username) || null })
    return getSignInTexts(ways)
  }
}

function useScheduleFactsGetter() {
  const { t } = useLingui()
  const unavailableMail = useMailUnavailability()
  return ({ schedule, notification }: ScanForm) => {
    const { frequency, startDate, startTime, timeZone } = schedule
    const { events, me, allTeamMembers, notifyOthers } = notification
    const frequencyLabels = {
      manual: t`Manual`,
      once: t`Once`,
      weekly: t`Weekly`,
      monthly: t`Monthly`,
    }
    const hasRecipients = (me && !unavailableMail.me) || allTeamMembers || notifyOthers
    const isMailSent = !unavailableMail.everybody && hasRecipients && events.length > 0
    return [
      frequencyLabels[frequency],
      ...(frequency === 'manual' ? [] : [`${startDate}, ${startTime}, ${timeZone.replaceAll('_', ' ')}`]),
      isMailSent ? t`Email is sent` : t`No email is sent`,
    ]
  }
}

export function useChangedSteps(): WizardStep[] {
  const changedFields = findCustomizedFields(useCurrentValues())
  return wizardSteps.filter((step) => stepFields[step].some((field) => changedFields.includes(field)))
}

/** Short facts about the choices of a step, the most significant first. */
export function useStepFacts(step: WizardStep): string[] {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const formValues = useCurrentValues()
  const presetNames = useQuery({ ...presetNamesQuery(apiClient), enabled: formValues.presetId !== null })
  const [getBasicFacts, getSignInFacts, getScheduleFacts, getChangeFacts] = [
    useBasicFactsGetter(),
    useSignInFactsGetter(),
    useScheduleFactsGetter(),
    useChangeFactsGetter(),
  ]
  const noneLabel = t`None`
  const ruleCount = formValues.excludeRules.length + formValues.includeRules.length
  const { scripts, commonComponents } = formValues
  const scriptCount = scripts.own.length + scripts.shared.length + (scripts.sharedSession ? 1 : 0)
  const teamCount = Object.keys(formValues.access.teams).length
  // Named as in other screens, which share the text.
  const { length: total } = formValues.access.groups
  const describeCount = (number: number, countText: string) => (number === 0 ? noneLabel : countText)
  const factGetters: Record<WizardStep, () => string[]> = {
    general: () => [formValues.name, ...formValues.urls.slice(0, 3)],
    preset: () => [
      formValues.presetId === null ? noneLabel : (presetNames.data?.find(({ id }) => id === formValues.presetId)?.name ?? '…'),
    ],
    basic: () => getBasicFacts(formValues),
    components: () => [
      describeCount(
        commonComponents.components.length,
        t`${plural(commonComponents.components.length, { one: '# component', other: '# components' })}`,
      ),
    ],
    scripts: () => [describeCount(scriptCount, t`${plural(scriptCount, { one: '# script', other: '# scripts' })}`)],
    scope: () => [
      ruleCount === 0 ? t`No URL rules` : t`${plural(ruleCount, { one: '# URL rule', other: '# URL rules' })}`,
      ...getChangeFacts(formValues, 'scope'),
    ],
    session: () => getSignInFacts(formValues),
    advanced: () => {
      const changeFacts = getChangeFacts(formValues, 'advanced')
      return changeFacts.length === 0 ? [t`Defaults`] : changeFacts
    },
    access: () => [
      teamCount + total === 0
        ? noneLabel
        : [
            teamCount > 0 && t`${plural(teamCount, { one: '# team', other: '# teams' })}`,
            total > 0 && t`${plural(total, { one: '# scan group', other: '# scan groups' })}`,
          ]
            .filter(Boolean)
            .join(', '),
    ],
    schedule: () => getScheduleFacts(formValues),
    review: () => [],
  }
  return factGetters[step]().filter(Boolean)
}
