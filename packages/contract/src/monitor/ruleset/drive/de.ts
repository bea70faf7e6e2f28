import type { DriveTexts } from './model.ts'

export const driveTextsDe: DriveTexts = {
  why: {
    focus:
      'Wer mit der Tastatur arbeitet, verliert die Stelle: Es ist nicht zu erkennen, welches Element auf die nächste Taste reagiert.',
    keyboard: 'Wer keine Maus benutzen kann, kann diesen Teil der Seite nicht bedienen oder nicht mehr verlassen.',
    role: 'Ein Screenreader hält hier an und kann nicht sagen, was das Element ist oder tut.',
    surprise: 'Eine Seite, die sich beim Durchgehen von selbst ändert, reißt Menschen aus dem, was sie gerade tun.',
    zoom: 'Wer Text vergrößert oder auf einem kleinen Bildschirm liest, kann nicht alles lesen oder muss für jede Zeile hin und her scrollen.',
    hover:
      'Was unter dem Mauszeiger erscheint, verdeckt den Text, den Menschen lesen, und sie können es weder schließen noch mit dem Zeiger erreichen.',
    language: 'Ein Screenreader wählt seine Stimme nach der Sprache. Mit der falschen werden Wörter zu Geräusch.',
    title: 'Der Titel wird als Erstes vorgelesen und unterscheidet offene Seiten voneinander.',
    alternative: 'Wer das Bild nicht sieht, hört den Namen einer Datei und erfährt nichts.',
  },
  rules: {
    'drive-focus-visible': [
      'Der Tastaturfokus ist nicht zu sehen',
      'Zeigen Sie mit :focus-visible einen Rahmen oder eine andere deutliche Änderung, in einer Farbe, die sich vom Hintergrund abhebt.',
    ],
    'drive-invisible-stop': [
      'Der Tastaturfokus geht auf etwas Unsichtbares',
      'Nehmen Sie das Element aus der Tab-Reihenfolge, solange es nicht angezeigt wird, oder zeigen Sie es, wenn es den Fokus hat.',
    ],
    'drive-stop-without-role': [
      'Ein Tab-Halt sagt nicht, was er ist',
      'Verwenden Sie eine Schaltfläche oder einen Link, oder geben Sie dem Element eine Rolle und einen Namen; Text, der nichts tut, braucht kein tabindex.',
    ],
    'drive-focus-obscured': [
      'Das Element mit dem Fokus ist von einer festen Leiste verdeckt',
      'Halten Sie mit scroll-padding Platz für die Leiste frei, oder lassen Sie sie mit der Seite scrollen.',
    ],
    'drive-on-focus': [
      'Der Fokus allein öffnet eine andere Seite',
      'Reagieren Sie, wenn das Element gedrückt wird, nicht wenn es den Fokus erhält.',
    ],
    'drive-keyboard-trap': [
      'Der Tastaturfokus kann das Element nicht verlassen',
      'Lassen Sie Tab und Umschalt+Tab durch, oder geben Sie den Fokus mit Esc zurück.',
    ],
    'drive-reflow': [
      'Textzeilen passen nicht in ein Fenster von 320 Pixeln',
      'Lassen Sie den Text umbrechen: keine festen Breiten, kein nowrap, und Spalten, die in einem schmalen Fenster untereinander stehen.',
    ],
    'drive-hover-content': [
      'Was unter dem Mauszeiger erscheint, verdeckt anderen Text und lässt sich nicht schließen',
      'Lassen Sie es mit Esc schließen, und lassen Sie es offen, solange der Zeiger darauf steht.',
    ],
    'drive-mouse-only': [
      'Funktioniert nur mit der Maus',
      'Verwenden Sie eine Schaltfläche oder einen Link; sonst machen Sie das Element fokussierbar und reagieren Sie auf Eingabe- und Leertaste.',
    ],
    'drive-page-language': [
      'Der Text ist nicht in der Sprache, die die Seite angibt',
      'Setzen Sie lang am html-Element auf die Sprache des Textes.',
    ],
    'drive-site-titles': [
      'Verschiedene Seiten haben denselben Titel',
      'Beginnen Sie den Titel mit dem Thema der Seite, danach folgt der Name der Website.',
    ],
    'drive-orientation': [
      'Der Inhalt ist in einer Ausrichtung des Bildschirms gedreht',
      'Entfernen Sie die Drehung, und lassen Sie das Layout der Ausrichtung folgen.',
    ],
    'drive-image-file-name': [
      'Der Alternativtext ist der Name einer Datei',
      'Beschreiben Sie, was das Bild zeigt, oder lassen Sie den Alternativtext leer, wenn es Dekoration ist.',
    ],
    'drive-text-spacing': [
      'Text wird abgeschnitten, wenn seine Abstände vergrößert werden',
      'Lassen Sie Kästen mit ihrem Text wachsen: min-height statt height, und kein overflow: hidden.',
    ],
    'drive-zoom-text': [
      'Text wird abgeschnitten, wenn die Seite auf 200 % vergrößert wird',
      'Lassen Sie Kästen mit ihrem Text wachsen, statt sie nach der Größe des Fensters zu richten.',
    ],
    'drive-zoom-scale': [
      'Text wird nicht größer, wenn die Seite vergrößert wird',
      'Geben Sie Textgrößen in rem oder em an, nicht allein nach der Größe des Fensters.',
    ],
  },
  tests: {
    'drive-focus-visible': [
      'Tab geht durch die Seite. Ein Element fällt durch, wenn sich weder sein Aussehen noch das von etwas um es herum ändert. Ausgenommen sind Textfelder mit Schreibmarke, Player und Frames.',
      'Die Änderung ist kaum zu sehen, oder das Element ist ein unbenannter Kasten, der nur scrollt.',
    ],
    'drive-invisible-stop': [
      'Tab geht durch die Seite. Ein Element fällt durch, wenn es den Fokus hat, während es außerhalb des Fensters, durchsichtig, abgeschnitten oder verdeckt ist.',
      'Das Element hat keine Größe oder enthält nur ein Symbol, dessen Schrift fehlen kann.',
    ],
    'drive-stop-without-role': [
      'Eingabetaste, Leertaste und ein Klick werden an Tab-Halten ohne Rolle ausprobiert. Ein Element fällt durch, wenn einer davon etwas ändert.',
      'Das Element kann den Fokus erhalten, und nichts passiert.',
    ],
    'drive-focus-obscured': [
      'Tab und Umschalt+Tab gehen durch die Seite. Ein Element fällt durch, wenn eine feste Leiste es ganz verdeckt, während es den Fokus hat.',
      '',
    ],
    'drive-on-focus': [
      'Jedes Element erhält den Fokus. Es fällt durch, wenn die Seite dann eine andere öffnen will; Clearway verhindert das.',
      '',
    ],
    'drive-keyboard-trap': [
      'Wo der Fokus stehen bleibt, werden Tab, Umschalt+Tab und Esc versucht. Das Element fällt durch, wenn keine der Tasten hinausführt.',
      'Der Fokus bleibt in einem Dialog, oder die Seite nennt eine Taste, die hinausführt.',
    ],
    'drive-reflow': [
      'Das Fenster wird auf 320 Pixel verschmälert. Eine Zeile fällt durch, wenn sie bei 1.280 Pixeln passte und nun über den Rand geht oder abgeschnitten ist. Ausgenommen sind Tabellen, Code, Medien, Karten und Kästen, die selbst scrollen.',
      'Eine Zeile liegt ganz jenseits des Randes oder endet mit Auslassungspunkten.',
    ],
    'drive-hover-content': [
      'Der Mauszeiger fährt auf Elemente, die etwas zeigen, danach wird Esc gedrückt.',
      'Was erscheint, verdeckt anderen Text, und Esc schließt es nicht.',
    ],
    'drive-mouse-only': [
      'Elemente, die auf Klicks reagieren, werden angeklickt. An denen, die den Fokus erhalten können, werden zuerst Eingabetaste, Leertaste und Pfeil nach unten versucht. Ein Element fällt durch, wenn nur der Klick etwas ändert.',
      '',
    ],
    'drive-page-language': [
      'Die Sprache des Textes wird ab 400 Zeichen an seiner Schrift und seinen Buchstabenfolgen erkannt. Die Seite fällt durch, wenn lang eine andere Sprache nennt.',
      'Die beiden Sprachen sind in diesem Text schwer zu unterscheiden.',
    ],
    'drive-site-titles': [
      'Die Titel aller geprüften Seiten eines Laufs werden verglichen. Seiten fallen durch, wenn sie denselben Titel haben, obwohl sich ihr Inhalt unterscheidet.',
      'Die Adressen unterscheiden sich nur in Zahlen, wie bei den Seiten einer Liste, oder der Inhalt ist sehr ähnlich.',
    ],
    'drive-orientation': [
      'Das Fenster wird vom Querformat ins Hochformat gedreht. Die Seite fällt durch, wenn dann der größte Teil ihres Inhalts gedreht ist.',
      '',
    ],
    'drive-image-file-name': [
      'Alternativtexte werden mit den Namen der Bilddateien verglichen. Ein Bild fällt durch, wenn sein Alternativtext der Name seiner Datei ist.',
      'Der Alternativtext sieht aus wie der Name einer anderen Datei oder wie einer, den eine Kamera oder ein Programm vergeben hat.',
    ],
    'drive-text-spacing': [
      'Zeilen, Buchstaben und Wörter erhalten die Abstände, die WCAG 1.4.12 verlangt.',
      'Text, der vorher ganz zu sehen war, wird dann abgeschnitten.',
    ],
    'drive-zoom-text': [
      'Die Seite wird wie bei 200 % Zoom angezeigt.',
      'Text, der vorher ganz zu sehen war, wird dann abgeschnitten.',
    ],
    'drive-zoom-scale': [
      'Die Seite wird bei 200 % und bei 400 % Zoom gemessen.',
      'Text ist bei beiden weniger als 1,9-mal so groß.',
    ],
  },
}
