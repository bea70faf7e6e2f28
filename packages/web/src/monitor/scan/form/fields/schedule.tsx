import { useLingui } from '@lingui/react/macro'
import { weeksOfMonth } from '@clearway/contract/monitor/schedule/schema.ts'
import { useFormContext } from 'react-hook-form'
import { CheckField } from '../../../../kit/form/field.tsx'
import type { ScanForm } from '../values.ts'
import { ChoiceField, Question, SelectField, TextField, useQuestionTexts } from './controls.tsx'
import styles from './fields.module.css'
import { useDayNames } from './use-day-names.ts'

/** Schedule of automatic runs. */
export function ScheduleFields() {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const frequency = watch('frequency')
  const timeoutQuestion = useQuestionTexts('timeoutHours')
  return (
    <>
      <ChoiceField
        name="frequency"

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
      {frequency !== 'manual' && (
        <Question {...timeoutQuestion}>
          <div className={styles.pair}>
            <TextField name="timeoutHours" type="number" />
            <TextField name="timeoutMinutes" type="number" />
          </div>
        </Question>
      )}
    </>
  )
}

const supportedTimeZones = Intl.supportedValuesOf('timeZone')

function StartFields() {
  const { getValues } = useFormContext<ScanForm>()
  // The browser may not list the stored time zone.
  const [storedTimeZone] = [getValues('timeZone')]
  const timeZoneNames =
    supportedTimeZones.includes(storedTimeZone) || storedTimeZone === ''
      ? ['UTC', ...supportedTimeZones]
      : [storedTimeZone, 'UTC', ...supportedTimeZones]
  return (
    <>
      <div className={styles.pair}>
        <TextField name="startDate" type="date" />
        <TextField name="startTime" type="time" />
      </div>
      <SelectField
        name="timeZone"

        options={[...new Set(timeZoneNames)].map((name) => ({
          value: name,
          label: name.replaceAll('_', ' '),
        }))}
      />
    </>
  )
}

function WeekFields() {
  const { t } = useLingui()
  const { register, formState } = useFormContext<ScanForm>()
  const weekdaysQuestion = useQuestionTexts('weekdays')
  const weekdayOptions = useDayNames()
  return (
    <>
      <TextField
        name="interval"
        label={t`Repeat every (weeks)`}
        hint={t`1 for every week.`}
        type="number"
        width="narrow"
      />
      <Question {...weekdaysQuestion} error={formState.errors.weekdays?.message}>
        <div className={styles.days}>
          {weekdayOptions.map(({ day, name }) => (
            <CheckField key={day} label={name}>
              {(control) => <input {...control} type="checkbox" value={day} {...register('weekdays')} />}
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
  const dayKind = watch('dayKind')
  return (
    <>
      <TextField
        name="interval"
        label={t`Repeat every (months)`}
        hint={t`1 for every month.`}
        type="number"
        width="narrow"
      />
      <SelectField
        name="dayKind"

        options={[
          { value: 'first', label: t`First day of the month` },
          { value: 'last', label: t`Last day of the month` },
          { value: 'day', label: t`A certain day of the month` },
          { value: 'weekday', label: t`A certain weekday of the month` },
        ]}
      />
      {dayKind === 'day' && (
        <TextField
          name="dayNumber"

          type="number"
          width="narrow"
        />
      )}
      {dayKind === 'weekday' && (
        <div className={styles.pair}>
          <SelectField
            name="dayWeek"

            options={weeksOfMonth.map((week) => ({ value: week, label: weekLabels[week] }))}
          />
          <SelectField
            name="dayWeekday"

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
  const endKind = watch('endKind')
  return (
    <>
      <ChoiceField
        name="endKind"

        options={[
          { value: 'never', label: t`Never` },
          { value: 'on', label: t`On a date` },
          { value: 'after', label: t`After a number of runs` },
        ]}
      />
      {endKind === 'on' && <TextField name="endDate" type="date" width="narrow" />}
      {endKind === 'after' && <TextField name="endRuns" type="number" width="narrow" />}
    </>
  )
}
