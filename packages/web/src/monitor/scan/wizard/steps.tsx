import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import layout from '../../../kit/page/layout.module.css'
import { useSession } from '../../user/model.ts'
import { AccessFields } from '../form/fields/access.tsx'
import { AdvancedFields } from '../form/fields/advanced.tsx'
import { BannerPicker } from '../form/fields/banner-picker.tsx'
import { PageTypeFields, RuleFields, SizeFields } from '../form/fields/basic.tsx'
import { ComponentFields } from '../form/fields/component.tsx'
import { toSentSettings } from '../form/model.ts'
import type { WizardStep } from '../form/step-name.ts'
import { stepFields } from '../form/field-table.ts'
import type { ScanForm } from '../form/values.ts'
import { NotificationFields } from '../form/fields/notification.tsx'
import { PresetLock } from '../form/preset-lock.tsx'
import { LinesField, Question, SelectField, TextField, TickField } from '../form/fields/controls.tsx'
import { useStepFacts } from './use-facts.ts'
import styles from '../form/fields/fields.module.css'
import { ScheduleFields } from '../form/fields/schedule.tsx'
import { SchedulePreview } from '../preview/schedule.tsx'
import { ExcludeFields, ScopeFields } from '../form/fields/scope.tsx'
import { ScopePreview } from '../preview/scope.tsx'
import { ScriptFields } from '../form/fields/script.tsx'
import { SessionFields } from '../form/fields/session.tsx'
import type { OpenedScan } from '../form/use-form.ts'
import { PresetStep } from './preset-step.tsx'
import { ReachedUrls } from './reached-urls.tsx'

export type WizardStepProps = {
  scanId: ScanId | null
  opened: OpenedScan
  /** Called if invalid input prevents an action. */
  onInvalid: () => void
  /** Called if another scan has the typed name. */
  onNameChecked: (name: string, isTaken: boolean) => void
}

/** Name of the scan. Another scan with this name is reported when the user leaves the field. */
function NameField({ scanId, onNameChecked }: WizardStepProps) {
  const { api: apiClient } = useSession()
  const { getValues } = useFormContext<ScanForm>()
  const checkName = async () => {
    const name = getValues('name')
    if (name.trim() === '') return
    // Without a response, the server checks the name again when the scan is saved.
    const validation = await apiClient.validateScan({ body: { name, ...(scanId ? { scanId } : {}) } }).catch(() => null)
    if (validation) onNameChecked(name, !validation.success && validation.code === 'name-taken')
  }
  return <TextField name="name" isRequired onLeave={() => void checkName()} />
}

function GeneralStep(props: WizardStepProps) {
  const { scanId } = props
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  return (
    <>
      <NameField {...props} />
      <div className={layout.tight}>
        <LinesField name="urls" lineCount={3} isRequired />
        <ReachedUrls scanId={scanId} />
      </div>
      <SelectField
        name="priority"
        width="narrow"
        options={[
          { value: 'high', label: t`High` },
          { value: 'medium', label: t`Medium` },
          { value: 'low', label: t`Low` },
        ]}
      />
      {appConfig.axeReportsUrl !== null && (
        <PresetLock part="sendToReports">
          <TickField name="sendToReports" />
        </PresetLock>
      )}
    </>
  )
}

const BasicStep = () => (
  <>
    <PresetLock part="scanScope">
      <SizeFields />
    </PresetLock>
    <PresetLock part="ruleSet">
      <RuleFields />
    </PresetLock>
    <PresetLock part="advanced">
      <PageTypeFields />
      <AdvancedFields section="basic" />
    </PresetLock>
  </>
)

function ScopeStep({ scanId, onInvalid }: WizardStepProps) {
  const { t } = useLingui()
  const { trigger, getValues } = useFormContext<ScanForm>()
  const buildPreviewBody = async () => {
    // The server reports errors of other steps.
    if (!(await trigger(['urls', ...stepFields.scope]))) {
      onInvalid()
      return null
    }
    const { access: _, ...previewSettings } = toSentSettings(getValues(), null)
    return { settings: previewSettings, ...(scanId ? { scanId } : {}) }
  }
  return (
    <div className={styles.beside}>
      <StepCard>
        <PresetLock part="urlScope">
          <ScopeFields />
        </PresetLock>
        <Question
          label={t`Exclude`}
          hint={t`A URL that matches is not visited, and its links are not followed. Rules match in three ways; the list takes many URLs at once.`}
        >
          <div className={`${styles.group} ${styles.inset}`}>
            <PresetLock part="urlScope" isAlreadyExplained>
              <ExcludeFields />
            </PresetLock>
            <PresetLock part="advanced">
              <AdvancedFields section="exclude" />
            </PresetLock>
          </div>
        </Question>
        <PresetLock part="advanced" isAlreadyExplained>
          <AdvancedFields section="scope" />
        </PresetLock>
      </StepCard>
      <ScopePreview body={buildPreviewBody} />
    </div>
  )
}

/** Conditional fields are at the end, so that they never move other fields away from the pointer. */
const ScheduleStep = () => (
  <>
    <ScheduleFields />
    <NotificationFields />
    <SchedulePreview />
  </>
)

function StepCard({ children }: { children: ReactNode }) {
  return <div className={`${layout.card} ${layout.pad} ${styles.group}`}>{children}</div>
}

/** Names the settings of the step that differ from a new scan. */
function ChangedSettings() {
  const [countText, ...settingNames] = useStepFacts('advanced')
  if (settingNames.length === 0) return null
  return (
    <p className={layout.muted}>
      {countText}: {settingNames.join(', ')}
    </p>
  )
}

const stepBodies: Record<Exclude<WizardStep, 'scope' | 'review'>, (props: WizardStepProps) => ReactNode> = {
  general: GeneralStep,
  preset: PresetStep,
  basic: BasicStep,
  components: () => (
    <PresetLock part="commonComponents">
      <ComponentFields />
    </PresetLock>
  ),
  scripts: ({ scanId }) => <ScriptFields scanId={scanId} />,
  session: (props) => <SessionFields {...props} />,
  advanced: ({ scanId }) => (
    <PresetLock part="advanced">
      <ChangedSettings />
      <AdvancedFields section="advanced" extras={{ 'advanced.bannerSelectors': <BannerPicker scanId={scanId} /> }} />
    </PresetLock>
  ),
  access: AccessFields,
  schedule: ScheduleStep,
}

export function StepBody({ step, ...props }: WizardStepProps & { step: Exclude<WizardStep, 'review'> }) {
  if (step === 'scope') return <ScopeStep {...props} />
  const Body = stepBodies[step]
  return (
    <StepCard>
      <Body {...props} />
    </StepCard>
  )
}
