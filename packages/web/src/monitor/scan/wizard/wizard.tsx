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
import type { WizardStep } from '../form/step-name.ts'
import { wizardSteps } from '../form/step-name.ts'
import { getStepOfField } from '../form/steps.ts'
import { listErrors } from '../form/use-form.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { ReviewStep } from './review-step.tsx'
import { StepBody } from './steps.tsx'
import { useStepFacts } from './use-facts.ts'
import { readUnsentDraft } from './draft.ts'
import { draftQuery } from './queries.ts'
import type { SavedDraft } from './use-draft.ts'
import type { WizardOptions } from './use-wizard.ts'
import { useWizard } from './use-wizard.ts'
import styles from './wizard.module.css'
import { getFieldName } from '../form/field-table.ts'
import { stepLabels } from './step-labels.ts'

type ScanWizardProps = Omit<WizardOptions, 'draft'> & {
  /** "New scan" or "Edit scan". */
  title: string
  crumbs: readonly ReactNode[]
  finishLabel: string
  /** Title of the message about a failed save. */
  failureTitle: string
  /** Extra content above the buttons of the first and the last step. */
  children?: ReactNode
}

type InitialDraft = { draft: WizardOptions['draft']; isUnread: boolean }

/** Wizard of a scan's settings with the stored draft. If the draft cannot be loaded, the form opens without it. */
export function ScanWizard(props: ScanWizardProps) {
  const { t } = useLingui()
  const { api: apiClient, permissions } = useSession()
  const draftOwner = { username: permissions.username, scanId: props.scanId, begunWith: props.url ?? '' }
  const { data: draft, isSuccess, isFetching } = useQuery(draftQuery(apiClient, draftOwner))
  // Set once: a later response would replace the user's input.
  const [initialDraft, setInitialDraft] = useState<InitialDraft | null>(null)
  if (!initialDraft && !isFetching)
    setInitialDraft({
      draft: isSuccess ? (draft ?? null) : readUnsentDraft(draftOwner),
      isUnread: !isSuccess,
    })
  if (!initialDraft) return <Skeleton fillsScreen label={t`Loading the draft`} />
  return <LoadedWizard {...props} {...initialDraft} />
}

/** Can be finished on every step. */
function LoadedWizard({
  title,
  crumbs,
  finishLabel,
  failureTitle,
  children,
  isUnread,
  ...wizardOptions
}: ScanWizardProps & InitialDraft) {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const { step: currentStep, onStep, scanId } = wizardOptions
  const wizardState = useWizard(wizardOptions)
  const { form: scanForm, attempt: attemptCount, next: nextStep, back: previousStep } = wizardState
  const stepFaults = useStepFaults(scanForm.formState.errors, currentStep)
  const stepNumber = wizardSteps.indexOf(currentStep) + 1
  const stepName = t(stepLabels[currentStep])
  const invalidSteps = new Set(stepFaults.map((fault) => getStepOfField(fault.field)))
  return (
    <FormProvider {...scanForm}>
      <PageHead
        key={currentStep}
        title={`${title}: ${stepName}`}
        productName={appConfig.productName}
        crumbs={crumbs}
        facts={t`Step ${stepNumber} of ${wizardSteps.length}`}
        actions={<DraftState key={currentStep} saved={wizardState.savedDraft} />}
      />
      <Stepper
        label={t`Steps`}
        currentStepId={currentStep}
        onStep={onStep}
        steps={wizardSteps.map((id) => toStepItem(id, t(stepLabels[id]), wizardState, invalidSteps))}
      >
        <form
          noValidate
          className={layout.stack}
          onSubmit={(event) => {
            event.preventDefault()
            void (nextStep ? wizardState.onward() : wizardState.finish())
          }}
        >
          {wizardState.restored && !wizardState.savedDraft && <RestoredDraftNotice wizard={wizardState} />}
          {isUnread && !wizardState.savedDraft && <UnreadDraftNotice />}
          {wizardState.merged && <ConflictNotice key={wizardState.version} merged={wizardState.merged} />}
          {attemptCount > 0 && (
            <ErrorSummary
              faults={stepFaults}
              attempt={attemptCount}
              onNavigate={({ field }) => {
                if (getStepOfField(field) !== currentStep) onStep(getStepOfField(field))
              }}
            />
          )}
          {wizardState.failure && <ErrorCard title={failureTitle} error={wizardState.failure.error} />}
          {currentStep === 'review' ? (
            <ReviewStep onStep={onStep} />
          ) : (
            <StepBody
              step={currentStep}
              scanId={scanId}
              opened={wizardState.opened}
              onInvalid={wizardState.reportErrors}
            />
          )}
          {(currentStep === 'general' || currentStep === 'review') && children}
          <StepActions
            onBack={previousStep && (() => onStep(previousStep))}
            onSkip={currentStep === 'general' || scanId !== null ? undefined : wizardState.skip}
            nextStepName={nextStep && t(stepLabels[nextStep])}
            finishLabel={finishLabel}
            canFinishEarly
            isPending={wizardState.busy}
            onNext={() => void wizardState.onward()}
            onFinish={() => void wizardState.finish()}
          />
        </form>
      </Stepper>
      <LeaveGuard
        shouldBlock={wizardState.isChanged}
        text={t`What you entered stays as a draft, without passwords and other secrets.`}
      />
    </FormProvider>
  )
}

type WizardState = ReturnType<typeof useWizard>

function toStepItem(
  step: WizardStep,
  stepName: string,
  wizardState: WizardState,
  invalidSteps: ReadonlySet<WizardStep>,
): ShownStep<WizardStep> {
  const { left: passedSteps, skipped: skippedSteps } = wizardState
  const stepState: StepState = invalidSteps.has(step)
    ? 'wrong'
    : skippedSteps.has(step)
      ? 'skipped'
      : passedSteps.has(step)
        ? 'done'
        : 'open'
  const previousStep = wizardSteps[wizardSteps.indexOf(step) - 1]
  return {
    id: step,
    name: stepName,
    state: stepState,
    isReachable:
      passedSteps.has(step) ||
      invalidSteps.has(step) ||
      previousStep === undefined ||
      passedSteps.has(previousStep),
    ...(stepState === 'done' ? { summary: <StepSummary step={step} /> } : {}),
  }
}

function StepSummary({ step }: { step: WizardStep }) {
  return <>{useStepFacts(step)[0] ?? ''}</>
}

/** Lists errors in step order. Errors of other steps name their step. */
function useStepFaults(errors: WizardState['form']['formState']['errors'], currentStep: WizardStep) {
  const { t } = useLingui()
  return listErrors(errors)
    .map(({ field, message }) => {
      const faultStep = getStepOfField(field)
      const rowIndex = field.split('.')[1]
      const fieldName = getFieldName(field)
      const fieldLabel = fieldName ? t(fieldName) : ''
      const labelParts = [
        ...(faultStep === currentStep ? [] : [t(stepLabels[faultStep])]),
        ...(fieldLabel
          ? [rowIndex === undefined ? fieldLabel : `${fieldLabel} ${Number(rowIndex) + 1}`]
          : []),
      ]
      return { field, message, label: labelParts.join(', ') }
    })
    .toSorted(
      (a, b) => wizardSteps.indexOf(getStepOfField(a.field)) - wizardSteps.indexOf(getStepOfField(b.field)),
    )
}

/** Screen readers announce it once per step; the visible text has the time of the last change. */
function DraftState({ saved: savedDraft }: { saved: SavedDraft | null }) {
  const { t, i18n } = useLingui()
  const [announcedDraft] = useState(savedDraft)
  const formatTime = (instant: string) =>
    new Intl.DateTimeFormat(i18n.locale, { timeStyle: 'short' }).format(new Date(instant))
  return (
    <>
      <p className={styles.saved}>
        {savedDraft && (
          <>
            <Icon name="check" />{' '}
            {savedDraft.isSent
              ? t`Draft saved ${formatTime(savedDraft.savedAt)}`
              : t`Draft kept in this browser, ${formatTime(savedDraft.savedAt)}`}
          </>
        )}
      </p>
      <p role="status" className={layout.hidden}>
        {savedDraft &&
          savedDraft !== announcedDraft &&
          (savedDraft.isSent ? t`Draft saved` : t`Draft kept in this browser`)}
      </p>
    </>
  )
}

function UnreadDraftNotice() {
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

function RestoredDraftNotice({ wizard: wizardState }: { wizard: WizardState }) {
  const { t } = useLingui()
  const showToast = useToast()
  const { formatDateTime } = useFormats()
  const draftSavedAt = wizardState.restored?.savedAt
  if (!draftSavedAt) return null
  return (
    <Notice kind="info" title={t`Your draft of ${formatDateTime(draftSavedAt)} was restored`}>
      <p>{t`Passwords and other secrets were not kept: enter them again.`}</p>
      <div>
        <Button
          small
          onPress={() =>
            void wizardState
              .discard()
              .catch((error: unknown) => showToast('error', t(getProblemMessage(error))))
          }
        >{t`Discard the draft`}</Button>
      </div>
    </Notice>
  )
}
