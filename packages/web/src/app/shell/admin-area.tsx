import { useLingui } from '@lingui/react/macro'
import { Link, Navigate, Outlet, useMatchRoute } from '@tanstack/react-router'
import { setClassicView, useClassicView } from '../../kit/page/classic-view.ts'
import { useSession } from '../../monitor/user/model.ts'
import { adminSections } from './admin-sections.ts'
import styles from './admin-area.module.css'

/** Area for administrators: tabs of its sections and the open one. Other users are redirected to the scans. */
export function AdminArea() {
  const { t } = useLingui()
  const { permissions } = useSession()
  const matchRoute = useMatchRoute()
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
      {/* Not specific to a section, so it appears once. */}
      {matchRoute({ to: '/admin' }) && <ClassicSwitch />}
      <Outlet />
    </>
  )
}

/** Switches to the classic layout without side-by-side details. */
function ClassicSwitch() {
  const { t } = useLingui()
  const isClassicView = useClassicView()
  return (
    <div className={styles.view}>
      <button
        type="button"
        role="switch"
        aria-checked={isClassicView}
        aria-describedby="classic-hint"
        className={styles.switch}
        onClick={() => setClassicView(!isClassicView)}
      >
        <span aria-hidden="true" className={styles.track} />
        {t`Classic view`}
      </button>
      <span id="classic-hint">{t`Issues and pages open in place of their list, not next to it.`}</span>
    </div>
  )
}
