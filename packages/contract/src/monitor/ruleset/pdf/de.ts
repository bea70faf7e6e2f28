import type { PdfTexts } from './model.ts'

export const pdfTextsDe: PdfTexts = {
  why: {
    structure:
      'Screenreader und Umfließen folgen den Tags. Fehlen sie oder sind sie falsch, wird Inhalt übersprungen, doppelt oder in falscher Reihenfolge gelesen.',
    content: 'Wer die Seite nicht oder schlecht sieht, bekommt von ihr keinen brauchbaren Text.',
    alternative: 'Wer es nicht sieht, erfährt nichts darüber: Die Beschreibung ist alles, was ein Screenreader sagen kann.',
    language: 'Ein Screenreader wählt seine Stimme nach der Sprache. Mit der falschen werden Wörter zu Geräusch.',
    navigation: 'Wer nicht mit den Augen überfliegen kann, findet sich über Überschriften, Lesezeichen und Links zurecht.',
    table: 'Ein Screenreader nennt zu jeder Zelle ihre Kopfzellen. Ohne sie ist eine Tabelle eine Reihe loser Werte.',
    form: 'Wer mit Tastatur oder Gehör arbeitet, kann die Felder nicht unterscheiden oder nicht erreichen.',
    title: 'Der Titel wird zuerst angesagt und unterscheidet ein offenes Dokument vom anderen.',
    access: 'Hilfsmittel und Menschen, die auf sie angewiesen sind, bleiben womöglich von Teilen des Dokuments ausgeschlossen.',
  },
  rules: {
    'pdf-tagged': ['Das Dokument hat keine Tags', 'Exportieren Sie es erneut mit der Einstellung „PDF mit Tags“.'],
    'pdf-scanned': [
      'Die Seite ist nur ein Bild und hat keinen Text',
      'Führen Sie eine Texterkennung durch und versehen Sie das Dokument dann mit Tags.',
    ],
    'pdf-security': [
      'Der Schutz sperrt Hilfsmittel aus',
      'Erlauben Sie in den Sicherheitseinstellungen den Textzugriff für Screenreader.',
    ],
    'pdf-xfa': ['Es ist ein dynamisches XFA-Formular', 'Bauen Sie es als einfaches PDF-Formular oder als Webformular neu.'],
    'pdf-portfolio': [
      'Es ist ein Portfolio: Die Dateien darin wurden nicht geprüft',
      'Veröffentlichen Sie die Dateien einzeln und prüfen Sie jede.',
    ],
    'pdf-title': ['Das Dokument hat keinen Titel', 'Tragen Sie den Titel in den Dokumenteigenschaften ein.'],
    'pdf-title-shown': [
      'Das Fenster zeigt den Dateinamen statt des Titels',
      'Stellen Sie in der Ansicht beim Öffnen „Dokumenttitel“ ein.',
    ],
    'pdf-title-quality': ['Der Titel sieht wie ein Dateiname aus', 'Schreiben Sie einen Titel, der sagt, worum es geht.'],
    'pdf-lang': ['Die Sprache des Dokuments ist nicht angegeben', 'Geben Sie die Sprache in den Dokumenteigenschaften an.'],
    'pdf-lang-valid': ['Ein Sprachcode ist ungültig', 'Verwenden Sie einen Code wie en, de-AT oder pt-BR.'],
    'pdf-lang-alt': [
      'Die Sprache einer Beschreibung oder Beschriftung ist unbekannt',
      'Geben Sie die Sprache am Tag oder für das Dokument an.',
    ],
    'pdf-lang-meta': ['Die Sprache von Lesezeichen oder Eigenschaften ist unbekannt', 'Geben Sie die Sprache des Dokuments an.'],
    'pdf-content-untagged': [
      'Inhalt ist weder mit einem Tag noch als Schmuck gekennzeichnet',
      'Geben Sie ihm ein Tag oder kennzeichnen Sie ihn als Artefakt.',
    ],
    'pdf-artifact-nesting': ['Schmuck und echter Inhalt sind vermischt', 'Halten Sie Artefakte und Inhalt mit Tags auseinander.'],
    'pdf-suspects': [
      'Das Programm hält seine Tags selbst für zweifelhaft',
      'Prüfen Sie die Tags und löschen Sie dann die Markierung „Suspects“.',
    ],
    'pdf-role-unmapped': [
      'Ein eigenes Tag hat keine Standardbedeutung',
      'Ordnen Sie es in der Rollenzuordnung einem Standard-Tag zu.',
    ],
    'pdf-role-loop': ['Die Rollenzuordnung führt im Kreis', 'Berichtigen Sie sie so, dass sie bei einem Standard-Tag endet.'],
    'pdf-role-remap': [
      'Ein Standard-Tag hat eine andere Bedeutung bekommen',
      'Nehmen Sie das Standard-Tag aus der Rollenzuordnung.',
    ],
    'pdf-parent': [
      'Ein Tag nennt sein übergeordnetes Tag nicht',
      'Exportieren Sie das Dokument mit einem anderen Programm oder einer anderen Version.',
    ],
    'pdf-figure-alt': [
      'Ein Bild hat keinen Alternativtext',
      'Beschreiben Sie, was es zeigt, oder kennzeichnen Sie Schmuck als Artefakt.',
    ],
    'pdf-alt-quality': [
      'Ein Alternativtext sieht wie ein Dateiname oder Platzhalter aus',
      'Beschreiben Sie, was das Bild aussagt.',
    ],
    'pdf-formula-alt': ['Eine Formel hat keinen Alternativtext', 'Schreiben Sie die Formel in Worten.'],
    'pdf-heading-skip': [
      'Eine Überschriftenebene ist übersprungen',
      'Beginnen Sie mit Ebene 1 und gehen Sie Ebene für Ebene hinunter.',
    ],
    'pdf-heading-mix': ['Überschriften mit und ohne Nummer sind gemischt', 'Verwenden Sie nur H1 bis H6.'],
    'pdf-no-headings': ['Ein längeres Dokument hat keine Überschriften', 'Kennzeichnen Sie die Überschriften als H1 bis H6.'],
    'pdf-bookmarks': ['Ein langes Dokument hat keine Lesezeichen', 'Erzeugen Sie Lesezeichen aus den Überschriften.'],
    'pdf-table-struct': [
      'Teile einer Tabelle sind falsch verschachtelt',
      'Zellen gehören in Zeilen, Zeilen in die Tabelle oder ihren Kopf, Rumpf oder Fuß.',
    ],
    'pdf-table-regular': [
      'Zeilen oder Spalten einer Tabelle sind verschieden lang',
      'Berichtigen Sie die Spannen, bis alle Zeilen gleich viele Spalten haben.',
    ],
    'pdf-table-header': [
      'Zu einer Zelle lässt sich keine Kopfzelle bestimmen',
      'Geben Sie jeder Kopfzelle einen Geltungsbereich oder nennen Sie je Zelle die Kopfzellen.',
    ],
    'pdf-table-headers-id': ['Eine Zelle nennt eine Kopfzelle, die es nicht gibt', 'Berichtigen Sie die Liste der Kopfzellen.'],
    'pdf-table-noheader': [
      'Eine Tabelle hat keine Kopfzellen',
      'Kennzeichnen Sie Kopfzellen als TH; eine reine Layouttabelle sollte kein Tabellen-Tag haben.',
    ],
    'pdf-list-struct': [
      'Teile einer Liste sind falsch verschachtelt',
      'Einträge gehören in die Liste, Aufzählungszeichen und Text in den Eintrag.',
    ],
    'pdf-toc-struct': [
      'Teile eines Inhaltsverzeichnisses sind falsch verschachtelt',
      'Einträge (TOCI) gehören in das Verzeichnis (TOC).',
    ],
    'pdf-note-id': ['Eine Anmerkung hat keine eigene Kennung', 'Geben Sie jeder Anmerkung eine eindeutige ID.'],
    'pdf-link-tag': ['Ein Link steht nicht in einem Link-Tag', 'Setzen Sie ihn in ein Link-Tag.'],
    'pdf-link-text': ['Ein Link hat keine Beschreibung', 'Sagen Sie in den Eigenschaften des Links, wohin er führt.'],
    'pdf-field-name': ['Ein Formularfeld hat keinen Namen', 'Füllen Sie die QuickInfo des Feldes aus.'],
    'pdf-field-tag': ['Ein Formularfeld steht nicht in einem Form-Tag', 'Setzen Sie das Feld in ein eigenes Form-Tag.'],
    'pdf-annot-tag': ['Eine Anmerkung fehlt im Tag-Baum', 'Setzen Sie sie in ein Annot-Tag.'],
    'pdf-annot-alt': ['Eine Anmerkung hat keine Beschreibung', 'Füllen Sie ihren Inhalt aus.'],
    'pdf-trapnet': ['Es enthält Überfüllungen für den Druck, die nicht erlaubt sind', 'Exportieren Sie es ohne Überfüllungen.'],
    'pdf-printer-mark': ['Eine Druckermarke ist als Inhalt gekennzeichnet', 'Nehmen Sie sie aus dem Tag-Baum.'],
    'pdf-tab-order': [
      'Die Tabulatortaste folgt nicht den Tags',
      'Stellen Sie die Tabulatorreihenfolge auf „Dokumentstruktur verwenden“.',
    ],
    'pdf-media': ['Ton oder Video fehlt der Typ oder die Beschreibung', 'Geben Sie den Inhaltstyp und einen Alternativtext an.'],
    'pdf-attachment': ['Eine angehängte Datei hat keinen Namen', 'Benennen Sie die angehängte Datei.'],
    'pdf-layers': [
      'Eine Ebeneneinstellung hat keinen Namen oder schaltet selbsttätig',
      'Benennen Sie sie und entfernen Sie die automatischen Zustände.',
    ],
    'pdf-form-xobject': [
      'Ein mehrfach benutzter Inhalt stört die Lesereihenfolge',
      'Exportieren Sie neu; Inhalt mit Tags darf nur einmal gezeichnet werden.',
    ],
    'pdf-unicode': [
      'Text kann nicht vorgelesen werden: Seine Zeichen sind unbekannt',
      'Exportieren Sie mit Schriften, die ihre Unicode-Werte behalten.',
    ],
    'pdf-font-embed': ['Eine Schrift ist nicht eingebettet', 'Betten Sie beim Export alle Schriften ein.'],
    'pdf-font-data': [
      'Die Daten einer Schrift widersprechen sich',
      'Exportieren Sie mit einem anderen Programm oder einer anderen Schrift.',
    ],
    'pdf-ua-id': [
      'Es weist sich nicht als PDF/UA aus',
      'Exportieren Sie als PDF/UA-1 oder setzen Sie die Kennung, wenn alles andere stimmt.',
    ],
    'pdf-header': ['Die erste Zeile nennt keine PDF-Version', 'Speichern Sie die Datei mit einem aktuellen Programm.'],
    'pdf-contrast': [
      'Text hat wenig Kontrast zum Untergrund',
      'Verwenden Sie Farben mit mindestens 4,5 zu 1 (3 zu 1 bei großem Text).',
    ],
    'pdf-order': [
      'Die Tags scheinen anders geordnet zu sein als die Seite',
      'Lesen Sie die Seite nach ihren Tags und verschieben Sie falsch stehende.',
    ],
  },
}
