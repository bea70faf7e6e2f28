import { useLingui } from '@lingui/react/macro'
import { weeksOfMonth } from '@clearway/contract/monitor/schedule/schema.ts'
import { useFormContext } from 'react-hook-form'
import { CheckField, Field } from '../../../../kit/form/field.tsx'
import { type NumberValue, parseNumber, type ScanForm } from '../values.ts'
import {
  ChoiceField,
  NumberField,
  Question,
  SelectField,
  TextField,
  useFieldError,
  useFieldTexts,
  useQuestionTexts,
  useTypedValue,
} from './controls.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { useFormats } from '../../../../kit/text/format.ts'
import styles from './fields.module.css'
import { TimeZoneField } from './time-zone-field.tsx'
import { useDayNames } from './use-day-names.ts'

export function ScheduleFields() {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const frequency = watch('schedule.frequency')
  return (
    <>
      <ChoiceField
        name="schedule.frequency"
        options={[
          { value: 'manual', label: t`Manual` },
          { value: 'once', label: t`Once` },
          { value: 'weekly', label: t`Weekly` },
          { value: 'monthly', label: t`Monthly` },
        ]}
      />
      {frequency !== 'manual' && <StartFields />}
      {frequency === 'weekly' && <WeekFields />}
      {frequency === 'monthly' && <MonthFields />}
      {(frequency === 'weekly' || frequency === 'monthly') && <EndFields />}
      <RunTimeFields />
    </>
  )
}

type TypedTimeout = { hours: string; minutes: string }
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Returns milliseconds, null for two empty fields, and the text if one is not a number. */
function parseTimeout({ hours, minutes }: TypedTimeout): NumberValue {
  const [typedHours, typedMinutes] = [parseNumber(hours), parseNumber(minutes)]
  if (typedHours === null && typedMinutes === null) return null
  if (typeof typedHours === 'string' || typeof typedMinutes === 'string') return `${hours}:${minutes}`
  return (typedHours ?? 0) * hourMs + (typedMinutes ?? 0) * minuteMs
}

function formatTimeout(timeoutMs: NumberValue): TypedTimeout {
  if (typeof timeoutMs !== 'number') {
    const [hours = '', minutes = ''] = (timeoutMs ?? '').split(':')
    return { hours, minutes }
  }
  const hours = Math.floor(timeoutMs / hourMs)
  return { hours: String(hours), minutes: String((timeoutMs - hours * hourMs) / minuteMs) }
}

/** The longest time of a run is an advanced setting. Scans with another one for scheduled runs can change and clear it. */
function RunTimeFields() {
  const { t } = useLingui()
  const { formatDuration } = useFormats()
  const { watch, formState } = useFormContext<ScanForm>()
  const [frequency, runTimeoutMs, timeoutMs] = watch(['schedule.frequency', 'advanced.runTimeoutMs', 'schedule.timeoutMs'])
  const isOwnTime = timeoutMs !== null || formState.defaultValues?.schedule?.timeoutMs != null
  if (frequency !== 'manual' && isOwnTime) return <TimeoutFields />
  const runTime = typeof runTimeoutMs === 'number' ? formatDuration(runTimeoutMs) : t`no limit`
  return <p className={`${layout.sm} ${layout.muted}`}>{t`Run timeout: ${runTime}. Set it in step Advanced.`}</p>
}

/** Longest time for scheduled runs, typed as hours and minutes. */
function TimeoutFields() {
  const { t } = useLingui()
  const { label: hoursLabel } = useFieldTexts({ name: 'schedule.timeoutMs' })
  const errorText = useFieldError('schedule.timeoutMs')
  const { typed, setTyped, control } = useTypedValue<NumberValue, TypedTimeout>('schedule.timeoutMs', {
    parse: parseTimeout,
    format: formatTimeout,
  })
  return (
    <Question {...useQuestionTexts('schedule.timeoutMs')}>
      <div className={styles.pair}>
        <Field label={hoursLabel} error={errorText} id="schedule.timeoutMs">
          {(fieldControl) => (
            <input
              {...fieldControl}
              {...control}
              inputMode="numeric"
              spellCheck={false}
              value={typed.hours}
              onChange={({ target }) => setTyped({ ...typed, hours: target.value })}
            />
          )}
        </Field>
        <Field label={t`Minutes`}>
          {(fieldControl) => (
            <input
              {...fieldControl}
              autoComplete="off"
              inputMode="numeric"
              spellCheck={false}
              onBlur={control.onBlur}
              value={typed.minutes}
              onChange={({ target }) => setTyped({ ...typed, minutes: target.value })}
            />
          )}
        </Field>
      </div>
    </Question>
  )
}

function StartFields() {
  return (
    <>
      <div className={styles.pair}>
        <TextField name="schedule.startDate" type="date" />
        <TextField name="schedule.startTime" type="time" />
      </div>
      <TimeZoneField name="schedule.timeZone" />
    </>
  )
}

function WeekFields() {
  const { t } = useLingui()
  const { register } = useFormContext<ScanForm>()
  const weekdaysQuestion = useQuestionTexts('schedule.weekdays')
  const weekdaysError = useFieldError('schedule.weekdays')
  const weekdayOptions = useDayNames()
  return (
    <>
      <NumberField name="schedule.interval" label={t`Repeat every (weeks)`} hint={t`1 for every week.`} width="narrow" />
      <Question {...weekdaysQuestion} error={weekdaysError}>
        <div className={styles.days}>
          {weekdayOptions.map(({ day, name }) => (
            <CheckField key={day} label={name}>
              {(control) => <input {...control} type="checkbox" value={day} {...register('schedule.weekdays')} />}
            </CheckField>
          ))}
        </div>
      </Question>
    </>
  )
}

function MonthFields() {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const weekdayOptions = useDayNames()
  const weekLabels: Record<(typeof weeksOfMonth)[number], string> = {
    first: t`first`,
    second: t`second`,
    third: t`third`,
    fourth: t`fourth`,
    last: t`last`,
  }
  const dayKind = watch('schedule.day.kind')
  return (
    <>
      <NumberField name="schedule.interval" label={t`Repeat every (months)`} hint={t`1 for every month.`} width="narrow" />
      <SelectField
        name="schedule.day.kind"
        options={[
          { value: 'first', label: t`First day of the month` },
          { value: 'last', label: t`Last day of the month` },
          { value: 'day', label: t`A certain day of the month` },
          { value: 'weekday', label: t`A certain weekday of the month` },
        ]}
      />
      {dayKind === 'day' && <NumberField name="schedule.day.day" width="narrow" />}
      {dayKind === 'weekday' && (
        <div className={styles.pair}>
          <SelectField
            name="schedule.day.week"
            options={weeksOfMonth.map((week) => ({ value: week, label: weekLabels[week] }))}
          />
          <SelectField
            name="schedule.day.weekday"
            options={weekdayOptions.map(({ day, name }) => ({ value: day, label: name }))}
          />
        </div>
      )}
    </>
  )
}

function EndFields() {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const endKind = watch('schedule.end.kind')
  return (
    <>
      <ChoiceField
        name="schedule.end.kind"
        options={[
          { value: 'never', label: t`Never` },
          { value: 'on', label: t`On a date` },
          { value: 'after', label: t`After a number of runs` },
        ]}
      />
      {endKind === 'on' && <TextField name="schedule.end.date" type="date" width="narrow" />}
      {endKind === 'after' && <NumberField name="schedule.end.runs" width="narrow" />}
    </>
  )
}
