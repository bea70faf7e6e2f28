import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { Button } from '../../../kit/control/button.tsx'
import { ErrorSummary } from '../../../kit/form/error-summary.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { LeaveGuard } from '../../../kit/dialog/leave-guard.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import type { StepItem as ShownStep, StepState } from '../../../kit/form/stepper.tsx'
import { StepActions, Stepper } from '../../../kit/form/stepper.tsx'
import { useSession } from '../../user/model.ts'
import type { Step } from '../form/step-name.ts'
import { steps } from '../form/step-name.ts'
import { stepOf } from '../form/steps.ts'
import { errorList } from '../form/use-form.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { ReviewStep } from './review-step.tsx'
import { StepBody } from './steps.tsx'
import { useFacts } from './use-facts.ts'
import { readUnsent } from './draft.ts'
import { draftQuery } from './queries.ts'
import type { SavedDraft } from './use-draft.ts'
import type { WizardOptions } from './use-wizard.ts'
import { useWizard } from './use-wizard.ts'
import styles from './wizard.module.css'
import { nameOfField } from '../form/field-table.ts'
import { stepNames } from './words.ts'

type Props = Omit<WizardOptions, 'draft'> & {
  /** "New scan" or "Edit scan". */
  title: string
  crumbs: readonly ReactNode[]
  finish: string
  /** What the error of a failed save is called. */
  failed: string
  /** More choices above the buttons of the first and the last step. */
  children?: ReactNode
}

type Begun = { draft: WizardOptions['draft']; isUnread: boolean }

/** The settings of a scan, step by step, with the draft if there is one. If it cannot be loaded, the form opens without it. */
export function ScanWizard(props: Props) {
  const { t } = useLingui()
  const { api, permissions } = useSession()
  const of = { username: permissions.username, scanId: props.scanId, begunWith: props.url ?? '' }
  const { data, isSuccess, isFetching } = useQuery(draftQuery(api, of))
  // Once: a later answer would replace what was typed meanwhile.
  const [begun, setBegun] = useState<Begun | null>(null)
  if (!begun && !isFetching)
    setBegun({ draft: isSuccess ? (data ?? null) : readUnsent(of), isUnread: !isSuccess })
  if (!begun) return <Skeleton fillsScreen label={t`Loading the draft`} />
  return <Wizard {...props} {...begun} />
}

/** It can be finished on every step. */
function Wizard({ title, crumbs, finish, failed, children, isUnread, ...options }: Props & Begun) {
  const { t } = useLingui()
  const { config } = useSession()
  const { step, onStep, scanId } = options
  const wizard = useWizard(options)
  const { form, attempt, next, back } = wizard
  const faults = useFaults(form.formState.errors, step)
  const number = steps.indexOf(step) + 1
  const name = t(stepNames[step])
  const wrong = new Set(faults.map((fault) => stepOf(fault.field)))
  return (
    <FormProvider {...form}>
      <PageHead
        key={step}
        title={`${title}: ${name}`}
        productName={config.productName}
        crumbs={crumbs}
        facts={t`Step ${number} of ${steps.length}`}
        actions={<DraftState key={step} saved={wizard.savedDraft} />}
      />
      <Stepper
        label={t`Steps`}
        currentStepId={step}
        onStep={onStep}
        steps={steps.map((id) => shownStep(id, t(stepNames[id]), wizard, wrong))}
      >
        <form
          noValidate
          className={layout.stack}
          onSubmit={(event) => {
            event.preventDefault()
            void (next ? wizard.onward() : wizard.finish())
          }}
        >
          {wizard.restored && !wizard.savedDraft && <Restored wizard={wizard} />}
          {isUnread && !wizard.savedDraft && <Unread />}
          {wizard.merged && <ConflictNotice key={wizard.version} merged={wizard.merged} />}
          {attempt > 0 && (
            <ErrorSummary
              faults={faults}
              attempt={attempt}
              onNavigate={({ field }) => {
                if (stepOf(field) !== step) onStep(stepOf(field))
              }}
            />
          )}
          {wizard.failure && <ErrorCard title={failed} error={wizard.failure.error} />}
          {step === 'review' ? (
            <ReviewStep onStep={onStep} />
          ) : (
            <StepBody step={step} scanId={scanId} opened={wizard.opened} onWrong={wizard.refuse} />
          )}
          {(step === 'general' || step === 'review') && children}
          <StepActions
            onBack={back && (() => onStep(back))}
            onSkip={step === 'general' || scanId !== null ? undefined : wizard.skip}
            nextStepName={next && t(stepNames[next])}
            finishLabel={finish}
            canFinishEarly
            isPending={wizard.busy}
            onNext={() => void wizard.onward()}
            onFinish={() => void wizard.finish()}
          />
        </form>
      </Stepper>
      <LeaveGuard
        shouldBlock={wizard.isChanged}
        text={t`What you entered stays as a draft, without passwords and other secrets.`}
      />
    </FormProvider>
  )
}

type WizardState = ReturnType<typeof useWizard>

function shownStep(id: Step, name: string, wizard: WizardState, wrong: ReadonlySet<Step>): ShownStep<Step> {
  const { left, skipped } = wizard
  const state: StepState = wrong.has(id)
    ? 'wrong'
    : skipped.has(id)
      ? 'skipped'
      : left.has(id)
        ? 'done'
        : 'open'
  const before = steps[steps.indexOf(id) - 1]
  return {
    id,
    name,
    state,
    isReachable: left.has(id) || wrong.has(id) || before === undefined || left.has(before),
    ...(state === 'done' ? { summary: <Chosen step={id} /> } : {}),
  }
}

function Chosen({ step }: { step: Step }) {
  return <>{useFacts(step)[0] ?? ''}</>
}

/** What has to be corrected, in the order of the steps; those of other steps say which. */
function useFaults(errors: WizardState['form']['formState']['errors'], current: Step) {
  const { t } = useLingui()
  return errorList(errors)
    .map(({ field, message }) => {
      const step = stepOf(field)
      const row = field.split('.')[1]
      const words = nameOfField(field)
      const name = words ? t(words) : ''
      const label = [
        ...(step === current ? [] : [t(stepNames[step])]),
        ...(name ? [row === undefined ? name : `${name} ${Number(row) + 1}`] : []),
      ]
      return { field, message, label: label.join(', ') }
    })
    .toSorted((a, b) => steps.indexOf(stepOf(a.field)) - steps.indexOf(stepOf(b.field)))
}

/** Screen readers announce it once a step; on the screen it has the time of the last change. */
function DraftState({ saved }: { saved: SavedDraft | null }) {
  const { t, i18n } = useLingui()
  const [before] = useState(saved)
  const time = (at: string) =>
    new Intl.DateTimeFormat(i18n.locale, { timeStyle: 'short' }).format(new Date(at))
  return (
    <>
      <p className={styles.saved}>
        {saved && (
          <>
            <Icon name="check" />{' '}
            {saved.isSent
              ? t`Draft saved ${time(saved.at)}`
              : t`Draft kept in this browser, ${time(saved.at)}`}
          </>
        )}
      </p>
      <p role="status" className={layout.hidden}>
        {saved && saved !== before && (saved.isSent ? t`Draft saved` : t`Draft kept in this browser`)}
      </p>
    </>
  )
}

function Unread() {
  const { t } = useLingui()
  return (
    <Notice kind="caution" title={t`Your draft could not be loaded`}>
      <p>{t`If you have a draft, what you enter now replaces it.`}</p>
      <div>
        <Button small onPress={() => window.location.reload()}>{t`Try again`}</Button>
      </div>
    </Notice>
  )
}

function Restored({ wizard }: { wizard: WizardState }) {
  const { t } = useLingui()
  const toast = useToast()
  const { formatDateTime: dateTime } = useFormats()
  const at = wizard.restored?.savedAt
  if (!at) return null
  return (
    <Notice kind="info" title={t`Your draft of ${dateTime(at)} was restored`}>
      <p>{t`Passwords and other secrets were not kept: enter them again.`}</p>
      <div>
        <Button
          small
          onPress={() =>
            void wizard.discard().catch((error: unknown) => toast('error', t(getProblemMessage(error))))
          }
        >{t`Discard the draft`}</Button>
      </div>
    </Notice>
  )
}
