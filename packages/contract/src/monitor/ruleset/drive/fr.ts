import type { DriveTexts } from './model.ts'

export const driveTextsFr: DriveTexts = {
  why: {
    focus:
      'Les personnes qui naviguent au clavier perdent leur place : rien ne montre quel élément réagira à la prochaine touche.',
    keyboard:
      'Les personnes qui ne peuvent pas utiliser de souris ne peuvent pas se servir de cette partie de la page, ou n’en sortent plus.',
    role: 'Un lecteur d’écran s’arrête ici et ne peut dire ni ce qu’est l’élément, ni ce qu’il fait.',
    surprise: 'Une page qui change d’elle-même pendant le parcours détourne les personnes de ce qu’elles font.',
    zoom: 'Les personnes qui agrandissent le texte ou lisent sur un petit écran ne peuvent pas tout lire, ou doivent défiler à chaque ligne.',
    hover:
      'Le contenu qui apparaît sous le pointeur couvre ce que les personnes lisent ; elles ne peuvent ni le fermer ni y déplacer le pointeur.',
    language: 'Un lecteur d’écran choisit sa voix selon la langue. Avec la mauvaise, les mots deviennent du bruit.',
    title: 'Le titre est annoncé en premier et distingue une page ouverte d’une autre.',
    alternative: 'Les personnes qui ne voient pas l’image entendent le nom d’un fichier, qui ne leur apprend rien.',
  },
  rules: {
    'drive-focus-visible': [
      'Le focus du clavier n’est pas visible',
      'Affichez avec :focus-visible un contour ou un autre changement net, d’une couleur qui se détache du fond.',
    ],
    'drive-invisible-stop': [
      'Le focus du clavier va sur quelque chose d’invisible',
      'Retirez l’élément de l’ordre de tabulation tant qu’il n’est pas affiché, ou affichez-le quand il a le focus.',
    ],
    'drive-stop-without-role': [
      'Un arrêt de tabulation ne dit pas ce qu’il est',
      'Utilisez un bouton ou un lien, ou donnez à l’élément un rôle et un nom ; un texte qui ne fait rien n’a pas besoin de tabindex.',
    ],
    'drive-focus-obscured': [
      'L’élément qui a le focus est couvert par une barre fixe',
      'Réservez la place de la barre avec scroll-padding, ou laissez-la défiler avec la page.',
    ],
    'drive-on-focus': [
      'Le focus seul ouvre une autre page',
      'Réagissez quand l’élément est actionné, pas quand il reçoit le focus.',
    ],
    'drive-keyboard-trap': [
      'Le focus du clavier ne peut pas quitter l’élément',
      'Laissez passer Tab et Maj+Tab, ou rendez le focus avec Échap.',
    ],
    'drive-reflow': [
      'Des lignes de texte ne tiennent pas dans une fenêtre de 320 pixels',
      'Laissez le texte revenir à la ligne : pas de largeurs fixes, pas de nowrap, et des colonnes qui s’empilent dans une fenêtre étroite.',
    ],
    'drive-hover-content': [
      'Un contenu qui apparaît au survol couvre du texte et ne peut pas être fermé',
      'Permettez de le fermer avec Échap, et gardez-le ouvert tant que le pointeur est dessus.',
    ],
    'drive-mouse-only': [
      'Fonctionne seulement à la souris',
      'Utilisez un bouton ou un lien ; sinon, rendez l’élément focalisable et réagissez à Entrée et Espace.',
    ],
    'drive-page-language': [
      'Le texte n’est pas dans la langue que la page déclare',
      'Indiquez la langue du texte dans l’attribut lang de l’élément html.',
    ],
    'drive-site-titles': [
      'Des pages différentes ont le même titre',
      'Commencez le titre par le sujet de la page, puis le nom du site.',
    ],
    'drive-orientation': [
      'Le contenu est tourné dans une orientation de l’écran',
      'Supprimez la rotation et laissez la mise en page suivre l’orientation.',
    ],
    'drive-image-file-name': [
      'Le texte alternatif est le nom d’un fichier',
      'Décrivez ce que montre l’image, ou laissez le texte alternatif vide si elle est décorative.',
    ],
    'drive-text-spacing': [
      'Le texte est coupé quand son espacement augmente',
      'Laissez les boîtes grandir avec leur texte : min-height au lieu de height, et pas de overflow: hidden.',
    ],
    'drive-zoom-text': [
      'Le texte est coupé quand la page est agrandie à 200 %',
      'Laissez les boîtes grandir avec leur texte au lieu de suivre la taille de la fenêtre.',
    ],
    'drive-zoom-scale': [
      'Le texte ne grandit pas quand la page est agrandie',
      'Indiquez les tailles de texte en rem ou en em, pas seulement selon la taille de la fenêtre.',
    ],
  },
  tests: {
    'drive-focus-visible': [
      'Tab parcourt la page. Un élément échoue si aucun style ne change, ni le sien ni celui de ce qui l’entoure. Les champs de texte avec curseur, les lecteurs et les cadres sont exclus.',
      'Le changement se voit à peine, ou l’élément est une boîte sans nom qui ne fait que défiler.',
    ],
    'drive-invisible-stop': [
      'Tab parcourt la page. Un élément échoue s’il a le focus alors qu’il est hors de la fenêtre, transparent, rogné ou couvert.',
      'L’élément n’a pas de taille, ou ne contient qu’une icône dont la police peut manquer.',
    ],
    'drive-stop-without-role': [
      'Entrée, Espace et un clic sont essayés sur les arrêts de tabulation sans rôle. Un élément échoue si l’un d’eux change quelque chose.',
      'L’élément peut recevoir le focus, et rien ne se passe.',
    ],
    'drive-focus-obscured': [
      'Tab et Maj+Tab parcourent la page. Un élément échoue si une barre fixe le couvre entièrement pendant qu’il a le focus.',
      '',
    ],
    'drive-on-focus': [
      'Chaque élément reçoit le focus. Il échoue si la page essaie alors d’en ouvrir une autre, ce que Clearway empêche.',
      '',
    ],
    'drive-keyboard-trap': [
      'Là où le focus reste, Tab, Maj+Tab et Échap sont essayés. L’élément échoue si aucune de ces touches ne permet de sortir.',
      'Le focus reste dans une boîte de dialogue, ou la page indique une touche pour en sortir.',
    ],
    'drive-reflow': [
      'La fenêtre est réduite à 320 pixels. Une ligne échoue si elle tenait à 1 280 pixels et dépasse maintenant le bord ou se trouve coupée. Les tableaux, le code, les médias, les cartes et les boîtes à défilement propre sont exclus.',
      'Une ligne est entièrement au-delà du bord, ou se termine par des points de suspension.',
    ],
    'drive-hover-content': [
      'Le pointeur passe sur les éléments qui affichent quelque chose, puis Échap est pressé.',
      'Ce qui apparaît couvre du texte, et Échap ne le ferme pas.',
    ],
    'drive-mouse-only': [
      'Les éléments qui réagissent aux clics sont cliqués. Ceux qui peuvent recevoir le focus sont d’abord essayés avec Entrée, Espace et la flèche vers le bas. Un élément échoue si seul le clic change quelque chose.',
      '',
    ],
    'drive-page-language': [
      'La langue du texte est reconnue à son écriture et à ses suites de lettres, à partir de 400 caractères. La page échoue si lang indique une autre langue.',
      'Les deux langues sont difficiles à distinguer dans ce texte.',
    ],
    'drive-site-titles': [
      'Les titres de toutes les pages testées d’une exécution sont comparés. Des pages échouent si elles ont le même titre alors que leur contenu diffère.',
      'Les adresses ne diffèrent que par des nombres, comme les pages d’une liste, ou les contenus se ressemblent beaucoup.',
    ],
    'drive-orientation': [
      'La fenêtre passe du paysage au portrait. La page échoue si la plus grande partie de son contenu est alors tournée.',
      '',
    ],
    'drive-image-file-name': [
      'Les textes alternatifs sont comparés aux noms des fichiers d’image. Une image échoue si son texte alternatif est le nom de son fichier.',
      'Le texte alternatif ressemble au nom d’un autre fichier, ou à un nom donné par un appareil photo ou un programme.',
    ],
    'drive-text-spacing': [
      'Les lignes, les lettres et les mots sont espacés comme le demande WCAG 1.4.12.',
      'Un texte auparavant entier est alors coupé.',
    ],
    'drive-zoom-text': ['La page est affichée comme avec un zoom de 200 %.', 'Un texte auparavant entier est alors coupé.'],
    'drive-zoom-scale': [
      'La page est mesurée avec un zoom de 200 % puis de 400 %.',
      'Dans les deux cas, le texte grandit de moins de 1,9 fois.',
    ],
  },
}
