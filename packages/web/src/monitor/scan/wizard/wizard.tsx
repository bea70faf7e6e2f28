import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { Button } from '../../../kit/control/button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { StepForm } from '../../../kit/form/step-form.tsx'
import { DeferredContent } from '../../../kit/page/deferred-content.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice, Skeleton } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { type WizardStep, wizardSteps } from '../form/step-name.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { readUnsentDraft } from './draft.ts'
import { draftQuery } from './queries.ts'
import { ReviewStep } from './review-step.tsx'
import { stepLabels } from './step-labels.ts'
import { ExtraOverview, ExtraSummary } from './extra-steps.tsx'
import { StepBody } from './steps.tsx'
import type { SavedDraft } from './use-draft.ts'
import { useStepFacts } from './use-facts.ts'
import { useWizard, type WizardOptions } from './use-wizard.ts'
import styles from './wizard.module.css'

type ScanWizardProps = Omit<WizardOptions, 'draft'> & {
  /** "New scan" or "Edit scan". */
  title: string
  /** Links to the list of scans, and to an existing scan. */
  homeLink: ReactNode
  objectLink?: ReactNode
  cancelLink: ReactNode
  finishLabel: string
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
  if (!initialDraft && !isFetching) {
    const storedDraft = isSuccess ? (draft ?? null) : readUnsentDraft(draftOwner)
    setInitialDraft({ draft: storedDraft, isUnread: !isSuccess })
  }
  if (!initialDraft) return <Skeleton fillsScreen label={t`Loading the draft`} />
  return (
    <DeferredContent placeholder={<Skeleton fillsScreen label={t`Loading the draft`} />}>
      <LoadedWizard {...props} {...initialDraft} />
    </DeferredContent>
  )
}

/** Can be finished on every step. */
function LoadedWizard(props: ScanWizardProps & InitialDraft) {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const { step: currentStep, onStep, scanId } = props
  const wizardState = useWizard(props)
  const { form: scanForm, steps: stepsState, save: saveState, extraGroup } = wizardState
  const stepNames = Object.fromEntries(wizardSteps.map((step) => [step, t(stepLabels[step])])) as Record<WizardStep, string>
  const doneSteps = wizardSteps.filter((step) => stepsState.getStepState(step) === 'done')
  const goOn = () => void wizardState.onward()
  const canSkip = currentStep !== 'general' && scanId === null
  return (
    <FormProvider {...scanForm}>
      <StepForm
        productName={appConfig.productName}
        title={props.title}
        homeLink={props.homeLink}
        objectLink={props.objectLink}
        cancelLink={props.cancelLink}
        actions={<DraftState key={currentStep} saved={wizardState.savedDraft} />}
        stepOrder={wizardSteps}
        stepNames={stepNames}
        extraSteps={{
          ids: extraGroup.ids,
          isOpen: extraGroup.isOpen,
          summary: <ExtraSummary />,
          // Closing the group leaves its step.
          onToggle: (isOpen) => {
            extraGroup.setIsOpen(isOpen)
            if (!isOpen && extraGroup.isInside) onStep('general')
          },
        }}
        summaries={Object.fromEntries(doneSteps.map((step) => [step, <StepSummary key={step} step={step} />]))}
        steps={stepsState}
        save={saveState}
        failureTitle={props.failureTitle}
        onRetry={saveState.submit}
        finishLabel={props.finishLabel}
        canFinishEarly
        onNext={goOn}
        onSkip={canSkip ? wizardState.skip : undefined}
        onFinish={saveState.submit}
        isChanged={wizardState.isChanged}
        leaveText={t`What you entered stays as a draft, without passwords and other secrets.`}
        banner={<WizardNotices wizard={wizardState} isUnread={props.isUnread} />}
        hasOwnCards
      >
        <form
          noValidate
          className={layout.stack}
          onSubmit={(event) => {
            event.preventDefault()
            if (stepsState.nextStepId) goOn()
            else saveState.submit()
          }}
        >
          {currentStep === 'review' ? (
            <ReviewStep onStep={onStep} />
          ) : (
            <StepBody
              step={currentStep}
              scanId={scanId}
              opened={wizardState.opened}
              onInvalid={wizardState.reportErrors}
              onNameChecked={wizardState.noteCheckedName}
            />
          )}
          {currentStep === 'general' && !extraGroup.isOpen && <ExtraOverview onOpen={() => onStep('preset')} />}
          {(currentStep === 'general' || currentStep === 'review') && props.children}
        </form>
      </StepForm>
    </FormProvider>
  )
}

type WizardState = ReturnType<typeof useWizard>

function WizardNotices({ wizard: wizardState, isUnread }: { wizard: WizardState; isUnread: boolean }) {
  const { savedDraft, merged: mergeResult } = wizardState
  return (
    <>
      {wizardState.restored && !savedDraft && <RestoredDraftNotice wizard={wizardState} />}
      {isUnread && !savedDraft && <UnreadDraftNotice />}
      {mergeResult && <ConflictNotice key={wizardState.version} merged={mergeResult} />}
    </>
  )
}

function StepSummary({ step }: { step: WizardStep }) {
  return <>{useStepFacts(step)[0] ?? ''}</>
}

/** Screen readers announce it once per step; the visible text has the time of the last change. */
function DraftState({ saved: savedDraft }: { saved: SavedDraft | null }) {
  const { t, i18n } = useLingui()
  const [announcedDraft] = useState(savedDraft)
  const formatTime = (instant: string) => new Intl.DateTimeFormat(i18n.locale, { timeStyle: 'short' }).format(new Date(instant))
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
        {savedDraft && savedDraft !== announcedDraft && (savedDraft.isSent ? t`Draft saved` : t`Draft kept in this browser`)}
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
  const showError = useShowError()
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
              .discardDraft()
              .then(() => window.location.reload())
              .catch(showError)
          }
        >{t`Discard the draft`}</Button>
      </div>
    </Notice>
  )
}
