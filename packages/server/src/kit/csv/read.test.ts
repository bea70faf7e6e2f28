import { expect, it } from 'vitest'
import { readCsv } from './read.ts'

const readRows = (content: string) => {
  const csv = readCsv(content, { required: ['team', 'scan group'], maxRows: 10 })
  return 'rows' in csv ? csv.rows.map(({ line, cell }) => [line, cell('team'), cell('scan group'), cell('role')]) : csv.faults
}
const composed = [[2, 'Grün & Söhne', '', 'Viewer']]

it.each([
  ['commas', 'Team,Scan Group,Role\r\nGrün & Söhne,,Viewer\r\n', composed],
  ['semicolons', 'Team;Scan Group;Role\nGrün & Söhne;;Viewer', composed],
  ['semicolons, with a comma in a header', 'Team;Scan Group;Role;"a, b"\nGrün & Söhne;;Viewer;', composed],
  ['tabs and empty cells', 'Team\tScan Group\tRole\r\nGrün & Söhne\t\tViewer', composed],
  ['only carriage returns', 'Team,Scan Group,Role\rGrün & Söhne,,Viewer\r', composed],
  ['a byte order mark', '\uFEFFTeam,Scan Group,Role\nGrün & Söhne,,Viewer', composed],
  ['decomposed letters', 'Team,Scan Group,Role\nGrün & Söhne,,Viewer'.normalize('NFD'), composed],
  ['no-break spaces', 'Team,Scan\u00a0Group,Role\nGrün\u00a0&\u202fSöhne\u00a0,,Viewer', composed],
  [
    'a line that names the separator',
    'sep=;\r\nTeam;Scan Group;Role\r\nGrün & Söhne;;Viewer',
    [[3, 'Grün & Söhne', '', 'Viewer']],
  ],
  [
    'a separator that is not the most frequent one',
    'sep=|\nTeam|Scan Group|Role|a,b,c,d,e\nGrün & Söhne||Viewer|',
    [[3, 'Grün & Söhne', '', 'Viewer']],
  ],
  [
    'rows without values',
    'Team,Scan Group,Role\n,,\nGrün & Söhne,,Viewer\n , ,\n;\n'.replace(';\n', ''),
    [[3, 'Grün & Söhne', '', 'Viewer']],
  ],
  [
    'quoted cells with line breaks',
    'Team,Scan Group,Role\n"Grün & Söhne","a\nb","Viewer"',
    [[3, 'Grün & Söhne', 'a\nb', 'Viewer']],
  ],
])('reads %s', (_, content, rows) => expect(readRows(content)).toEqual(rows))

it.each([
  ['', 'empty'],
  ['\uFEFF \n', 'empty'],
  ['Team,Scan Group\n', 'empty'],
  ['Team,Scan Group\n,,\n', 'empty'],
  ['Team\nA', 'missing-column'],
  ['Team,Scan Group\n"A', 'unreadable'],
  [`Team,Scan Group\n${'A,B\n'.repeat(11)}`, 'too-many-rows'],
])('refuses %j', (content, code) => expect(readRows(content)).toMatchObject([{ code }]))

it.each([
  ['quotes without end', `team,scan\n"${'"'.repeat(5_000_000)}`],
  ['an open quote over the whole file', `team,scan\n"${'a\n'.repeat(2_500_000)}`],
  ['millions of columns', `team,scan\n${','.repeat(5_000_000)}`],
  ['millions of columns of the header', `${','.repeat(2_500_000)}\n${','.repeat(2_500_000)}`],
  ['millions of lines', `team,scan\n${'\n'.repeat(5_000_000)}`],
  ['more rows than allowed', `team,scan\n${'a,b\n'.repeat(1_250_000)}`],
  ['spaces', `team,scan\n${' '.repeat(5_000_000)}`],
])('ends soon for a file of %s', (_, content) => {
  // The time of the processor: that of a clock depends on what else the machine does.
  const startUsage = process.cpuUsage()
  const result = readCsv(content, { required: ['team', 'scan'], maxRows: 10_000 })
  expect('rows' in result ? result.rows.length : result.faults.length).toBeLessThanOrEqual(10_000)
  expect(process.cpuUsage(startUsage).user).toBeLessThan(10_000_000)
})
