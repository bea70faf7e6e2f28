import { useLingui } from '@lingui/react/macro'
import layout from '../../../kit/page/layout.module.css'
import styles from './start-times.module.css'

type Props = { times: readonly string[]; zone: string; ownZone: string }

/** Moments in the zone of a schedule, and in the reader's own where that is another. */
export function StartTimes({ times, zone, ownZone }: Props) {
  const { t, i18n } = useLingui()
  const format = (timeZone: string) =>
    new Intl.DateTimeFormat(i18n.locale, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
    })
  const [there, here] = [format(zone), format(ownZone)]
  const place = zone.replaceAll('_', ' ')
  return (
    <ol className={styles.times}>
      {times.map((time) => (
        <li key={time}>
          <span className={layout.num}>{t`${there.format(new Date(time))} in ${place}`}</span>
          {zone !== ownZone && (
            <span className={`${layout.muted} ${layout.sm}`}>
              {' '}
              {t`${here.format(new Date(time))} your time`}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
