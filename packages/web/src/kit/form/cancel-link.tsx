import { useLingui } from '@lingui/react/macro'
import { Link, type LinkProps } from '@tanstack/react-router'
import { getButtonClass } from '../control/button.tsx'
import styles from './stepper.module.css'

/** Leaves a form with steps. */
export function CancelLink(target: Pick<LinkProps, 'to' | 'params'>) {
  const { t } = useLingui()
  return (
    <Link {...target} className={`${getButtonClass({ kind: 'quiet' })} ${styles.cancel}`}>
      {t`Cancel`}
    </Link>
  )
}
