import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import layout from '../../../kit/page/layout.module.css'
import { useSession } from '../../user/model.ts'
import { AccessFields } from '../form/fields/access.tsx'
import { AdvancedFields } from '../form/fields/advanced.tsx'
import { PageTypeFields, RuleFields, SizeFields } from '../form/fields/basic.tsx'
import { ComponentFields } from '../form/fields/component.tsx'
import { settingsOf } from '../form/model.ts'
import type { Step } from '../form/step-name.ts'
import { stepFields } from '../form/field-table.ts'
import type { ScanForm } from '../form/values.ts'
import { NotificationFields } from '../form/fields/notification.tsx'
import { PresetLock } from '../form/preset-lock.tsx'
import { Question, SelectField, TextField, TickField } from '../form/fields/controls.tsx'
import styles from '../form/fields/fields.module.css'
import { ScheduleFields } from '../form/fields/schedule.tsx'
import { SchedulePreview } from '../preview/schedule.tsx'
import { ExcludeFields, ScopeFields } from '../form/fields/scope.tsx'
import { ScopePreview } from '../preview/scope.tsx'
import { ScriptFields } from '../form/fields/script.tsx'
import { SessionFields } from '../form/fields/session.tsx'
import type { Opened } from '../form/use-form.ts'
import { PresetStep } from './preset-step.tsx'
import { ReachedUrls } from './reached.tsx'

export type StepProps = {
  scanId: ScanId | null
  opened: Opened
  /** Something has to be corrected before what was pressed can be done. */
  onWrong: () => void
}

function GeneralStep({ scanId }: StepProps) {
  const { t } = useLingui()
  const { config } = useSession()
  return (
    <>
      <TextField name="name" required />
      <div className={layout.tight}>
        <TextField name="urls" rows={3} required />
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
      {config.axeReportsUrl !== null && (
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
    </PresetLock>
  </>
)

function ScopeStep({ scanId, onWrong }: StepProps) {
  const { t } = useLingui()
  const { trigger, getValues } = useFormContext<ScanForm>()
  const body = async () => {
    // The server says what is wrong on other steps.
    if (!(await trigger(['urls', ...stepFields.scope]))) {
      onWrong()
      return null
    }
    const { access: _, ...settings } = settingsOf(getValues(), null)
    return { settings, ...(scanId ? { scanId } : {}) }
  }
  return (
    <div className={styles.beside}>
      <Card>
        <PresetLock part="urlScope">
          <ScopeFields />
        </PresetLock>
        <Question
          label={t`Exclude`}
          hint={t`A URL that matches is not visited, and its links are not followed. Rules match in three ways; the list takes many URLs at once.`}
        >
          <div className={`${styles.group} ${styles.inset}`}>
            <PresetLock part="urlScope" isSaid>
              <ExcludeFields />
            </PresetLock>
            <PresetLock part="advanced">
              <AdvancedFields section="exclude" />
            </PresetLock>
          </div>
        </Question>
        <PresetLock part="advanced" isSaid>
          <AdvancedFields section="scope" />
        </PresetLock>
      </Card>
      <ScopePreview body={body} />
    </div>
  )
}

/** What comes and goes with what is entered stands last, so that it moves no field away from under the pointer. */
const ScheduleStep = () => (
  <>
    <ScheduleFields />
    <NotificationFields />
    <SchedulePreview />
  </>
)

function Card({ children }: { children: ReactNode }) {
  return <div className={`${layout.card} ${layout.pad} ${styles.group}`}>{children}</div>
}

const bodies: Record<Exclude<Step, 'scope' | 'review'>, (props: StepProps) => ReactNode> = {
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
  advanced: () => (
    <PresetLock part="advanced">
      <AdvancedFields section="advanced" />
    </PresetLock>
  ),
  access: AccessFields,
  schedule: ScheduleStep,
}

/** The questions of one step. */
export function StepBody({ step, ...props }: StepProps & { step: Exclude<Step, 'review'> }) {
  if (step === 'scope') return <ScopeStep {...props} />
  const Body = bodies[step]
  return (
    <Card>
      <Body {...props} />
    </Card>
  )
}
