/**
 * Changes of many issues or pages in place. A trigger before each update locks each issue once more: writers set the time of a
 * change themselves. Without the health of pages in an index, a change of it writes to none.
 */
export const bulkEdits: readonly string[] = [
  `drop trigger issue_updated on issue`,
  `drop function set_issue_updated()`,
  `drop index page_list`,
  `create index page_list on run_page (run_id, status)`,
]
