import { useLingui } from '@lingui/react/macro'
import { Link, Navigate, Outlet, useMatchRoute } from '@tanstack/react-router'
import { setClassic, useClassic } from '../../kit/page/classic-view.ts'
import { useSession } from '../../monitor/user/model.ts'
import { adminSections } from './admin-sections.ts'
import styles from './admin-area.module.css'

/** What only administrators get: its sections as tabs, and the one that is open. Everybody else is led to the scans. */
export function AdminArea() {
  const { t } = useLingui()
  const { permissions } = useSession()
  const matches = useMatchRoute()
  if (!permissions.isAdmin) return <Navigate to="/scans" replace />
  return (
    <>
      <nav aria-label={t`Administration`} className={styles.tabs}>
        <ul>
          {adminSections.map(({ to, text }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: to === '/admin' }}>
                {t(text)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {/* It is about none of the sections: once is enough. */}
      {matches({ to: '/admin' }) && <ClassicSwitch />}
      <Outlet />
    </>
  )
}

/** Lets an administrator work as before there were details beside lists. */
function ClassicSwitch() {
  const { t } = useLingui()
  const classic = useClassic()
  return (
    <div className={styles.view}>
      <button
        type="button"
        role="switch"
        aria-checked={classic}
        aria-describedby="classic-hint"
        className={styles.switch}
        onClick={() => setClassic(!classic)}
      >
        <span aria-hidden="true" className={styles.track} />
        {t`Classic view`}
      </button>
      <span id="classic-hint">{t`Issues and pages open in place of their list, not next to it.`}</span>
    </div>
  )
}
