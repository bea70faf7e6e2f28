/** A sentence of the rules for values, with the clauses that the server checks, and those that only a screen can check. */
type Sentence = {
  text: string
  server?: readonly string[]
  /** The file contains `shows`. */
  screen?: readonly { rule: string; file: string; shows: string }[]
}

/** The rules for values, sentence by sentence. Each clause has at least one rule in `rules.test.ts`. */
export const sentences: readonly Sentence[] = [
  {
    text: 'Scan name: required, maximum length from a limit (value not shown), unique (server-validated, optionally excluding the scan being edited). Scan URL: valid, unique, at least one.',
    server: [
      'Scan name: required',
      'maximum length from a limit',
      'unique (server-validated',
      'optionally excluding the scan being edited',
      'Scan URL: valid',
      'Scan URL: unique',
      'Scan URL: at least one',
    ],
  },
  {
    text: 'Domains: at least one, valid. Page limit: above 0 and below a limit (value not shown). Pre-scan wait: positive and below a limit (value not shown). At least one page type (HTML or PDF). PDF target count below the page limit. PDF modified "to" date after "from". Window width and height required.',
    server: [
      'Domains: at least one',
      'Domains: valid',
      'Page limit: above 0',
      'Page limit: below a limit',
      'Pre-scan wait: positive',
      'Pre-scan wait: below a limit',
      'At least one page type',
      'PDF target count below the page limit',
      'PDF modified "to" date after "from"',
      'Window width and height required',
    ],
  },
  {
    text: 'Common components: at least one valid unique template URL and at least one component; component name required and unique; selectors valid and unique.',
    server: [
      'Common components: at least one',
      'Common components: valid',
      'Common components: unique template URL',
      'at least one component',
      'component name required',
      'component name unique',
      'selectors valid',
      'selectors unique',
    ],
  },
  {
    text: 'Session: auth type required; username and password not empty; NTLM username in the form domain\\user or user@domain; keystore file, type and password required; messages "Invalid keystore format!" and "Incorrect password!".',
    server: [
      'auth type required',
      'username and password not empty',
      'NTLM username in the form domain\\user or user@domain',
      'keystore file, type and password required',
      '"Invalid keystore format!"',
      '"Incorrect password!"',
    ],
  },
  {
    text: 'Environment variables: name not empty and unique; value not empty.',
    server: ['Environment variables: name not empty', 'Environment variables: name unique', 'value not empty'],
  },
  {
    text: 'Schedule: start time, start date (today or later) and time zone required; end date today or later; number of runs at least 1; timeout duration above 0; interval above 0; at least one weekday for weekly; day of month 1 to 31.',
    server: [
      'start time',
      'start date',
      '(today or later)',
      'time zone required',
      'end date today or later',
      'number of runs at least 1',
      'timeout duration above 0',
      'interval above 0',
      'at least one weekday for weekly',
      'day of month 1 to 31',
    ],
  },
  {
    text: 'Notifications: specific-users field not empty and all e-mails valid.',
    server: ['specific-users field not empty', 'all e-mails valid'],
  },
  {
    text: 'Group and team selection required; duplicates rejected. Team access: "Scan or Scan Group must not be empty".',
    server: ['Group and team selection required', 'duplicates rejected', '"Scan or Scan Group must not be empty"'],
  },
  {
    text: 'Filters: invalid date format rejected; date after today rejected.',
    server: ['invalid date format rejected', 'date after today rejected'],
  },
  {
    text: 'Labels cannot be empty. Preset name: required, unique, length-limited (server-validated, optionally excluding the edited preset). Group name: required, unique, length-limited (server-validated, optionally excluding the edited group).',
    server: [
      'Labels cannot be empty',
      'Preset name: required',
      'Preset name: unique',
      'Preset name: length-limited',
      'optionally excluding the edited preset',
      'Group name: required',
      'Group name: unique',
      'Group name: length-limited',
      'optionally excluding the edited group',
    ],
  },
  {
    text: 'Scripts: JSON or YAML file representing a single scan; TASK needs at least one analyze action; SESSION must have none; otherwise "Please upload a valid script file."',
    server: [
      'JSON or YAML file',
      'representing a single scan',
      'TASK needs at least one analyze action',
      'SESSION must have none',
      'otherwise "Please upload a valid script file."',
    ],
  },
  {
    text: 'Issue upload: JSON only (application/json); maximum file size and count (values not shown); issues must parse with required data.',
    server: [
      'JSON only (application/json)',
      'maximum file size',
      'maximum file size and count',
      'issues must parse with required data',
    ],
  },
  {
    text: 'Bulk CSV import: team, scan, scan group must exist; scan or group must be specified; role must be Scan Viewer, Scan Member or Scan Admin.',
    server: [
      'Bulk CSV import: team',
      'scan',
      'scan group must exist',
      'scan or group must be specified',
      'role must be Scan Viewer, Scan Member or Scan Admin',
    ],
  },
  {
    text: 'Deleting a scan, preset, group or shared script requires typing its name.',
    screen: [
      {
        rule: 'deleting requires typing the name',
        file: 'packages/web/src/kit/dialog/delete-dialog.tsx',
        shows: 'useTypedConfirmation(',
      },
    ],
  },
  {
    text: 'The server validate call returns success false with a message, or "Unknown error".',
    server: ['The server validate call returns success false with a message'],
  },
]
