import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { SearchField } from 'react-aria-components/SearchField'
import { getProblemMessage } from '../../kit/client/problem-text.ts'
import { useDebouncedValue } from '../../kit/client/use-debounced-value.ts'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import field from '../../kit/form/field.module.css'
import layout from '../../kit/page/layout.module.css'
import { searchQuery } from '../../monitor/scan/queries.ts'
import { useSession } from '../../monitor/user/model.ts'
import styles from './search-palette.module.css'
import {
  type DestinationGroup,
  useResultDestinations,
  useListDestinations,
  useScreenDestinations,
  useViewDestinations,
} from './use-destinations.ts'

const minQueryLength = 2
const debounceMs = 200

/** The list below is always expanded; the autocomplete adds its id. */
const comboboxProps = { role: 'combobox', 'aria-expanded': true, 'aria-haspopup': 'listbox' } as const

/** Searches scans, pages, rules, people, screens and actions during typing. Arrow keys select, Enter opens. */
export function SearchPalette({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { api: apiClient } = useSession()
  const [typedText, setTypedText] = useState('')
  const trimmedQuery = typedText.trim()
  const debouncedQuery = useDebouncedValue(trimmedQuery, debounceMs)
  const searchResult = useQuery({ ...searchQuery(apiClient, debouncedQuery), enabled: debouncedQuery.length >= minQueryLength })
  const screenGroup = useScreenDestinations()
  const listGroup = useListDestinations(trimmedQuery)
  const viewGroup = useViewDestinations(trimmedQuery)
  const resultGroups = useResultDestinations(debouncedQuery.length >= minQueryLength ? searchResult.data : undefined)
  const toLowerCase = (text: string) => text.toLocaleLowerCase(i18n.locale)
  const matchingScreens = screenGroup.entries.filter(({ text }) => toLowerCase(text).includes(toLowerCase(trimmedQuery)))
  // Lists appear with the results, not before: the selection must not move while results load.
  const isSearchDone = trimmedQuery === debouncedQuery && !searchResult.isFetching
  const visibleGroups = [
    { ...screenGroup, entries: matchingScreens },
    // Without a query, all views would only be in the way.
    ...(trimmedQuery === '' ? [] : [viewGroup]),
    ...resultGroups,
    ...(trimmedQuery.length >= minQueryLength && isSearchDone ? [listGroup] : []),
  ].filter(({ entries }) => entries.length > 0)
  const resultCount = [{ entries: matchingScreens }, ...(trimmedQuery === '' ? [] : [viewGroup]), ...resultGroups].reduce(
    (sum, { entries }) => sum + entries.length,
    0,
  )
  const openDestination = (optionKey: string) => {
    const [groupId, ...idParts] = optionKey.split(' ')
    const selectedEntry = visibleGroups.find(({ id }) => id === groupId)?.entries.find(({ id }) => id === idParts.join(' '))
    onClose()
    void selectedEntry?.go()
  }
  // Enter without a selection opens the first result.
  const openFirstResult = () => {
    const [firstGroup] = visibleGroups
    if (firstGroup && !document.querySelector('[role=option][data-focused]'))
      openDestination(`${firstGroup.id} ${firstGroup.entries[0]?.id}`)
  }
  return (
    <Dialog title={t`Search`} onClose={onClose}>
      <Autocomplete inputValue={typedText} onInputChange={setTypedText}>
        <SearchField aria-label={t`Search everything`} autoFocus onSubmit={openFirstResult}>
          <Input
            {...comboboxProps}
            className={`${field.control} ${styles.input}`}
            placeholder={t`Scan, page, rule, person or screen`}
            maxLength={200}
          />
        </SearchField>
        <p role="status" className={`${layout.muted} ${layout.sm}`}>
          {searchResult.isError ? (
            t(getProblemMessage(searchResult.error))
          ) : !isSearchDone ? (
            t`Searching…`
          ) : (
            <>
              <Plural value={resultCount} one="# result" other="# results" />
              {searchResult.data?.complete === false && <> · {t`There are too many pages to look through all of them.`}</>}
            </>
          )}
        </p>
        <SearchResultList groups={visibleGroups} onOpen={openDestination} />
      </Autocomplete>
    </Dialog>
  )
}

function SearchResultList({ groups, onOpen }: { groups: readonly DestinationGroup[]; onOpen: (key: string) => void }) {
  const { t } = useLingui()
  return (
    <ListBox
      aria-label={t`Results`}
      shouldFocusWrap
      className={styles.results ?? ''}
      onAction={(key) => onOpen(String(key))}
      renderEmptyState={() => t`Nothing matches.`}
    >
      {groups.map((group) => (
        <ListBoxSection key={group.id} id={group.id} className={styles.section ?? ''}>
          <Header className={styles.title ?? ''}>{group.title}</Header>
          {group.entries.map((entry) => (
            <ListBoxItem key={entry.id} id={`${group.id} ${entry.id}`} textValue={entry.text} className={styles.item ?? ''}>
              <span className={layout.break}>{entry.text}</span>
              {entry.detail !== undefined && (
                <span className={`${layout.muted} ${layout.sm} ${layout.break}`}>{entry.detail}</span>
              )}
            </ListBoxItem>
          ))}
        </ListBoxSection>
      ))}
    </ListBox>
  )
}
