import { useLingui } from '@lingui/react/macro'
import type { Config } from '@clearway/contract/monitor/config/schema.ts'
import type { RouterHistory } from '@tanstack/react-router'
import {
  Link,
  Navigate,
  Outlet,
  RouterProvider,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { ProductMark } from '../../kit/control/icon.tsx'
import { DocsArticle, DocsContents } from './article.tsx'
import header from '../shell/header.module.css'
import { LanguageMenu } from '../shell/language-menu.tsx'
import shell from '../shell/shell.module.css'

type Props = { config: Pick<Config, 'productName'>; login: () => void }

/** The help for whoever is not signed in: nothing of it is secret. */
export function DocsAlone(props: Props) {
  const [router] = useState(() => createDocsRouter(props))
  return <RouterProvider router={router} />
}

/** The routes of the help alone. `history` is the browser's when left out. */
export function createDocsRouter({ config: { productName }, login }: Props, history?: RouterHistory) {
  const root = createRootRoute({
    component: () => <Frame productName={productName} login={login} />,
    notFoundComponent: () => <Navigate to="/docs" replace />,
  })
  const contents = createRoute({
    getParentRoute: () => root,
    path: '/docs',
    component: () => <DocsContents productName={productName} />,
  })
  const article = createRoute({
    getParentRoute: () => root,
    path: '/docs/$key',
    component: () => <DocsArticle productName={productName} />,
  })
  return createRouter({
    routeTree: root.addChildren([contents, article]),
    basepath: '/monitor',
    scrollRestoration: true,
    ...(history && { history }),
  })
}

function Frame({ productName, login }: { productName: string; login: () => void }) {
  const { t } = useLingui()
  return (
    <>
      <a className={shell.skip} href="#main">{t`Skip to main content`}</a>
      <header className={header.header}>
        <div>
          <Link to="/docs" className={header.brand}>
            <ProductMark />
            <span>{productName}</span>
          </Link>
          <span className={header.tools}>
            <LanguageMenu />
            <Button small onPress={login}>{t`Sign in`}</Button>
          </span>
        </div>
      </header>
      <main id="main" className={shell.main} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}
