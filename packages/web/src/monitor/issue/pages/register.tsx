import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { useDownload } from '../../../kit/client/use-download.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { countRegisterFilters, noRegisterFilters, type RegisterSearch } from '../model-register.ts'
import { registerQuery } from '../queries-register.ts'
import { RegisterExport } from '../register/export.tsx'
import { RegisterFilters } from '../register/filters.tsx'
import { RegisterTable } from '../register/table.tsx'

const registerRoute = getRouteApi('/ignored')

export function RegisterPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig, deps } = useSession()
  const registerSearch = registerRoute.useSearch()
  const navigateTo = registerRoute.useNavigate()
  const register = useQuery(registerQuery(apiClient, registerSearch))
  useLastPage(register.data?.page, (page) => void navigateTo({ search: { ...registerSearch, page }, replace: true }))
  const changeSearch = (changes: Partial<RegisterSearch>) =>
    void navigateTo({ search: { ...registerSearch, page: 1, ...changes }, resetScroll: false })
  const exportDownload = useDownload(deps)
  const totalCount = register.data?.page.totalElements
  const isFiltered = countRegisterFilters(registerSearch) > 0
  return (
    <>
      <PageHead
        title={t`Ignored issues`}
        productName={appConfig.productName}
        crumbs={[<Link key="issues" to="/issues">{t`Issues`}</Link>]}
        facts={
          totalCount !== undefined && (
            <p role="status">
              <Plural value={totalCount} one="# decision" other="# decisions" />
            </p>
          )
        }
        actions={<RegisterExport search={registerSearch} download={exportDownload} />}
      />
      <DownloadStatus download={exportDownload} />
      <RegisterFilters search={registerSearch} onChange={changeSearch} />
      <QueryState
        query={register}
        loadingLabel={t`Loading`}
        failureTitle={t`The ignored issues could not be loaded.`}
        fillsScreen
      />
      {totalCount === 0 && (
        <div className={layout.card}>
          <EmptyState
            title={isFiltered ? t`Nothing matches` : t`No issue is ignored`}
            action={isFiltered && <Button onPress={() => changeSearch(noRegisterFilters)}>{t`Clear all`}</Button>}
          >
            <p>
              {isFiltered
                ? t`No decisions match these filters.`
                : t`Ignored issues and accepted risks appear here, with their reason, who ignored them, and until when.`}
            </p>
          </EmptyState>
        </div>
      )}
      {register.data && totalCount !== 0 && (
        <div className={layout.card}>
          <RegisterTable
            rows={register.data.content}
            sort={registerSearch.sort}
            isBusy={register.isPlaceholderData}
            onSort={(sort) => changeSearch({ sort: sort as RegisterSearch['sort'] })}
          />
          <Pager
            label={t`Pages of the list`}
            page={register.data.page}
            onPage={(page) => changeSearch({ page })}
            onSize={(size) => changeSearch({ size })}
          />
        </div>
      )}
    </>
  )
}
