import { useLingui } from '@lingui/react/macro'
import layout from '../../../kit/page/layout.module.css'
import styles from './start-times.module.css'

type StartTimesProps = { times: readonly string[]; scheduleZone: string; ownZone: string }

/** Start times in the time zone of a schedule, and in the user's own if it differs. */
export function StartTimes({ times, scheduleZone, ownZone }: StartTimesProps) {
  const { t, i18n } = useLingui()
  const createFormat = (timeZone: string) =>
    new Intl.DateTimeFormat(i18n.locale, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
    })
  const [scheduleFormat, ownFormat] = [createFormat(scheduleZone), createFormat(ownZone)]
  const zoneLabel = scheduleZone.replaceAll('_', ' ')
  return (
    <ol className={styles.times}>
      {times.map((time) => (
        <li key={time}>
          <span className={layout.num}>{t`${scheduleFormat.format(new Date(time))} in ${zoneLabel}`}</span>
          {scheduleZone !== ownZone && (
            <span className={`${layout.muted} ${layout.sm}`}> {t`${ownFormat.format(new Date(time))} your time`}</span>
          )}
        </li>
      ))}
    </ol>
  )
}
