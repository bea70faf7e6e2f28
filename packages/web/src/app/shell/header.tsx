import { useLingui } from '@lingui/react/macro'
import type { ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { getButtonClass } from '../../kit/control/button.tsx'
import { Icon, ProductMark } from '../../kit/control/icon.tsx'
import layout from '../../kit/page/layout.module.css'
import { belowReports, small, useMedia } from '../../kit/page/use-media.ts'
import { IssueSearch } from '../../monitor/issue/model.ts'
import { PageSearch } from '../../monitor/page/model.ts'
import { ScanSearch } from '../../monitor/scan/model.ts'
import { useSession } from '../../monitor/user/model.ts'
import { useActiveNow } from '../../monitor/user/parts/use-active.ts'
import { useDefaultViews } from '../../monitor/view/queries.ts'
import { AccountMenu } from './account-menu.tsx'
import { FoldedCount, InboxLink } from './inbox-link.tsx'
import { HelpLink } from '../docs/help-link.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { ProductSwitcher } from './product-switcher.tsx'
import { SearchButton } from './search-button.tsx'
import { StatusSign } from './status-sign.tsx'
import styles from './header.module.css'

/** Mark, main navigation, and the menus; below 48rem everything but the mark folds behind one button. */
export function Header() {
  const { t } = useLingui()
  const { config, permissions } = useSession()
  const folded = useMedia(small)
  const router = useRouter()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [unfolded, setUnfolded] = useState(false)
  const open = folded && unfolded
  useEffect(() => {
    if (!unfolded) return
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // What has the focus goes away with the menu.
      if (menu.current?.contains(document.activeElement)) button.current?.focus()
      setUnfolded(false)
    }
    document.addEventListener('keydown', close)
    // Open on one screen only: whoever goes to another closes it.
    const left = router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && setUnfolded(false))
    return () => {
      document.removeEventListener('keydown', close)
      left()
    }
  }, [unfolded, router])
  return (
    <header className={styles.header}>
      <div>
        <Link to="/scans" className={styles.brand}>
          <ProductMark />
          <span>{config.productName}</span>
        </Link>
        <ProductSwitcher />
        {/* At one place in every width: its dialog stays open when the window changes. */}
        {!permissions.isGuest && <SearchButton />}
        {folded ? (
          <span className={layout.end}>
            <button
              ref={button}
              type="button"
              className={getButtonClass({})}
              aria-expanded={open}
              aria-controls="menu"
              onClick={() => setUnfolded(!open)}
            >
              <Icon name={open ? 'close' : 'menu'} />
              {t`Menu`}
              {!open && !permissions.isGuest && <FoldedCount />}
            </button>
          </span>
        ) : (
          <Destinations />
        )}
      </div>
      {open && (
        <div ref={menu} id="menu" className={styles.panel}>
          <Destinations />
        </div>
      )}
    </header>
  )
}

const anySearch = { includeSearch: false }

function Destinations() {
  const { t } = useLingui()
  const { config, permissions, guestScan } = useSession()
  const narrow = useMedia(belowReports)
  const active = useActiveNow()
  const { views } = useDefaultViews()
  /** What the URL of a list says for its default view to be open. */
  const searchOf = (screen: ViewScreen) => {
    const view = views.find((one) => one.screen === screen)?.view
    return view && { ...view.query, saved: view.id }
  }
  return (
    <>
      <nav className={styles.nav} aria-label={t`Main`}>
        <ul>
          <li>
            {guestScan ? (
              <Link to="/scans/$scanId" params={{ scanId: guestScan }}>{t`Scans`}</Link>
            ) : (
              <Link
                to="/scans"
                search={z.parse(ScanSearch, searchOf('scans') ?? {})}
                activeOptions={anySearch}
              >
                {t`Scans`}
              </Link>
            )}
          </li>
          {!guestScan && (
            <>
              <li>
                <Link
                  to="/issues"
                  search={z.parse(IssueSearch, searchOf('issues') ?? active)}
                  activeOptions={anySearch}
                >{t`Issues`}</Link>
              </li>
              <li>
                <Link
                  to="/pages"
                  search={z.parse(PageSearch, searchOf('pages') ?? active)}
                  activeOptions={anySearch}
                >{t`Pages`}</Link>
              </li>
              <li>
                <Link to="/rollup">{t`Dashboard`}</Link>
              </li>
            </>
          )}
          {permissions.isAdmin && (
            <li>
              <Link to="/admin">{t`Administration`}</Link>
            </li>
          )}
        </ul>
      </nav>
      <div className={styles.tools}>
        {config.flags.showSystemStatus && <StatusSign />}
        {config.axeReportsUrl && !narrow && (
          <a
            className={getButtonClass({ kind: 'quiet', small: true })}
            href={config.axeReportsUrl}
          >{t`Reports`}</a>
        )}
        {!permissions.isGuest && <InboxLink />}
        <HelpLink />
        <LanguageMenu />
        <AccountMenu />
      </div>
    </>
  )
}
