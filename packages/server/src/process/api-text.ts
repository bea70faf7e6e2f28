export const apiIntroduction = `Every call of the product, generated from its contract, for scripts and other programs.

## Who you are
- **People** send \`Authorization: Bearer …\` with a token of the OpenID provider: its issuer is
  \`{keycloakUrl}/realms/{realmId}\` in \`GET /config\`.
- **Programs** use the public API (\`/monitor-public-api/v1\`) with an API key in \`X-API-Key\`. A person creates it on their
  account page; it can do at most what that person can do.
- **Guests** send the token of a public link in \`X-Guest-Token\`. They see one scan, and neither people nor settings.

Without them, a call ends with 401 \`not-signed-in\`. What you may not see is 404 \`not-found\`, as if it did not exist.

## Lists
\`page\` counts from 0, \`size\` is the number of rows, at most 500. A reply is \`{ content, page: { number, size,
totalElements, totalPages } }\`; short lists of names are an array in \`content\` or a bare array. Sort by
\`sort=field,asc\`, repeatable; \`sortBy\` and \`order\` of three lists are older names of it. A repeated parameter (\`status=open&status=fixed\`)
matches any of its values, different parameters must all match. Unknown parameters are refused, with the list of known ones.

To copy all issues, call \`GET /issues?cursor=&status=open&status=fixed&status=ignored\`, then with \`cursor\` = \`nextCursor\` until
it is null: nothing is skipped or repeated. Later, add \`updatedSince\` with the time of the previous copy, less five minutes for
changes that were being saved. Comments and deletions are not reported.

## Selections
Bulk calls take ids (\`selectAllMode: false\`, at most 10,000), or \`selectAllMode: true\` with \`filters\` and the ids to leave
out. Without any filter, a change is refused: set \`filters.everything\` to true and send \`expectedCount\`. Where
\`expectedCount\` is sent, another number of rows is \`edit-conflict\`, and nothing is changed. Rows that your role may not
change are counted as \`skipped\`.

## Versions and conflicts
Replies for forms carry \`version\`. Send it back with the change: if someone else was faster, the call ends with 409
\`edit-conflict\`. Where it is optional, a change without it overwrites.

## Errors
Every error is \`application/problem+json\` (RFC 9457): \`code\` is stable, \`title\` and \`detail\` are English sentences,
\`errors\` names each wrong value by its path, and \`requestId\` finds the call in the server's log. A method that a URL does
not accept is 405 with \`Allow\`.

## Limits
Calls are counted per person and per network. Beyond the limit, a call ends with 429 \`too-many-requests\` and
\`Retry-After\` in seconds. Exports, event streams and uploads at once are limited per person, too. A body has at most 1 MiB
unless the call says otherwise.

## What may change
Within \`/v1\` of the public API, fields and parameters are added, never removed or changed. All other calls serve the web
application of the same version; the changelog lists what changes in them. Ignore fields that you do not know.
`

/** Meaning of the parameters of a path or query, by name. */
export const parameterTexts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    action: 'Only entries of this action',
    actor: 'Only entries of this person, by id',
    all: 'True: all teams; otherwise those in ids',
    assignedTo: 'Only issues of these people, by id; an empty value: issues of nobody',
    author: 'Only decisions of these people, by id',
    begunWith: 'URL or scan from which the new scan was begun; empty for neither',
    by: 'Property by which rows are grouped',
    change: 'Only issues with these changes since the previous run',
    comment: 'Id of the comment',
    annotation: 'Id of the annotation',
    branchRun: 'Id of the result of a gate on a branch',
    component: 'Only issues in these common components; an empty value: in none',
    createdFrom: 'Only issues first seen at or after this time',
    createdTo: 'Only issues first seen at or before this time',
    cursor: 'Pages by id: empty at first, then nextCursor of the previous reply; without page, sort and grouped',
    days: 'Number of days until today',
    exclusion: 'Only pages excluded for these reasons',
    expiresInDays: 'Only decisions that end within this number of days',
    failure: 'Only pages that failed for these reasons',
    favorites: 'Only your favorites',
    from: 'Only entries at or after this time',
    groupId: 'Only scans in these scan groups, by id',
    grouped: 'One row for each pattern of elements instead of one for each issue',
    health: 'Only pages of this health, which is that of their worst open issue',
    id: 'Id of the object in the path',
    ids: 'Ids of the teams',
    ignore: 'Id of the ignore; in a list: only issues that these decisions ignore',
    includeNeedsReview: 'Also count results that need a review',
    label: 'Only issues with any of these labels',
    mine: 'Only scans that you own',
    needsReview: 'True: only results that need a review; false: only issues; absent: both',
    noun: 'Only entries about this kind of object',
    number: 'Number of the picture, from 1 at the top',
    order: 'Older name: direction of sortBy',
    other: 'Number of the run to compare with',
    page: 'Number of the page of the list, from 0',
    pageId: 'Only these pages, by id',
    parent: 'Folder whose folders or pages are listed, with a slash at its end; empty: the sites',
    pattern: 'Pattern of the link, as `signOutUrls` of the settings lists it',
    presetId: 'Only scans with these presets, by id; in a change: the preset to assign or to remove',
    priority: 'Only scans of these priorities',
    q: 'Text to search for',
    rule: 'Name of the rule, as in axe-core; in a list: only issues of these rules',
    run: 'Number of the run within its scan, from 1',
    runNumber: 'Number of the run within each scan; absent: the newest run with results',
    running: 'True: only scans with an active run; false: only those without',
    scanGroupId: 'Only this scan group, by id',
    scanId: 'Only these scans, by id',
    screen: 'The screen whose saved views are listed',
    search: 'Only rows that contain this text in their names or URLs, whatever the case',
    notRechecked: 'Only issues that the other run did not test again, or only all others',
    engine: 'Only issues that these engines found: axe-core, the PDF checker or driven checks',
    severity: 'Only issues of these severities',
    shared: 'True: shared scripts; false: scripts of single scans',
    side: 'Only what one of the two runs has, or both',
    size: 'Number of rows, at most 500; 0 means all where the schema allows it',
    sort: 'Field and direction, such as name,asc; repeatable, the first one counts most',
    sortBy: 'Older name of sort: field to sort by',
    source: 'Only results of runs, or only uploaded ones',
    state: 'Only people in this state',
    status: 'Only rows with these statuses; in a change: the new status',
    review: 'Only results with this answer; `open` for results that need review and have none',
    withIssues: 'Leaves out rules that only have results to review',
    updatedSince: 'Only issues created or changed at or after this time; comments do not count',
    tag: 'Only rows with any of these tags',
    teamId: 'Only these teams, by id',
    template: 'Only issues of these patterns of elements, by id',
    timeZone: 'IANA name of the time zone in which days are counted and dates are shown',
    type: 'Only rows of these types',
    unread: 'Only entries that you have not read',
    until: 'Only entries before this time',
    webhook: 'Id of the webhook',
  }),
)
