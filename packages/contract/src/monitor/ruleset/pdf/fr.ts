import type { PdfTexts } from './model.ts'

export const pdfTextsFr: PdfTexts = {
  why: {
    structure:
      'Les lecteurs d’écran et la redistribution suivent les balises. Absentes ou fausses, elles font sauter, répéter ou lire le contenu dans le désordre.',
    content: 'Les personnes qui ne voient pas la page, ou mal, n’en tirent aucun texte utilisable.',
    alternative: 'Qui ne le voit pas n’en sait rien : la description est tout ce qu’un lecteur d’écran peut dire.',
    language: 'Un lecteur d’écran choisit sa voix d’après la langue. Avec la mauvaise, les mots deviennent du bruit.',
    navigation: 'Qui ne peut pas parcourir des yeux s’oriente par les titres, les signets et les liens.',
    table: 'Un lecteur d’écran nomme les en-têtes de chaque cellule. Sans eux, un tableau est une suite de valeurs éparses.',
    form: 'Qui travaille au clavier ou à l’oreille ne distingue pas les champs, ou ne peut pas les atteindre.',
    title: 'Le titre est annoncé en premier et distingue un document ouvert d’un autre.',
    access: 'Les technologies d’assistance, et les personnes qui en dépendent, peuvent être exclues de parties du document.',
  },
  rules: {
    'pdf-tagged': ['Le document n’est pas balisé', 'Exportez-le à nouveau avec l’option « PDF balisé ».'],
    'pdf-scanned': ['La page n’est qu’une image, sans texte', 'Lancez une reconnaissance de texte, puis balisez le document.'],
    'pdf-security': [
      'La protection exclut les technologies d’assistance',
      'Autorisez l’accès au texte pour les lecteurs d’écran.',
    ],
    'pdf-xfa': ['C’est un formulaire XFA dynamique', 'Refaites-le en formulaire PDF simple ou en formulaire web.'],
    'pdf-portfolio': [
      'C’est un porte-documents : les fichiers qu’il contient n’ont pas été vérifiés',
      'Publiez les fichiers un à un et vérifiez chacun.',
    ],
    'pdf-title': ['Le document n’a pas de titre', 'Indiquez le titre dans les propriétés du document.'],
    'pdf-title-shown': [
      'La fenêtre montre le nom du fichier au lieu du titre',
      'Choisissez « afficher le titre du document » à l’ouverture.',
    ],
    'pdf-title-quality': ['Le titre ressemble à un nom de fichier', 'Écrivez un titre qui dit de quoi il s’agit.'],
    'pdf-lang': ['La langue du document n’est pas indiquée', 'Indiquez la langue dans les propriétés du document.'],
    'pdf-lang-valid': ['Un code de langue n’est pas valide', 'Utilisez un code comme en, de-AT ou pt-BR.'],
    'pdf-lang-alt': [
      'La langue d’une description ou d’une étiquette est inconnue',
      'Indiquez la langue sur la balise ou pour le document.',
    ],
    'pdf-lang-meta': ['La langue des signets ou des propriétés est inconnue', 'Indiquez la langue du document.'],
    'pdf-content-untagged': ['Du contenu n’est ni balisé ni marqué comme décoration', 'Balisez-le ou marquez-le comme artefact.'],
    'pdf-artifact-nesting': ['Décoration et vrai contenu sont mêlés', 'Séparez les artefacts du contenu balisé.'],
    'pdf-suspects': [
      'Le logiciel a signalé ses balises comme douteuses',
      'Relisez les balises, puis retirez la marque « Suspects ».',
    ],
    'pdf-role-unmapped': [
      'Une balise maison n’a pas de sens standard',
      'Associez-la à une balise standard dans la table des rôles.',
    ],
    'pdf-role-loop': ['La table des rôles tourne en rond', 'Corrigez-la pour qu’elle aboutisse à une balise standard.'],
    'pdf-role-remap': ['Une balise standard a reçu un autre sens', 'Retirez la balise standard de la table des rôles.'],
    'pdf-parent': ['Une balise ne nomme pas son parent', 'Exportez le document avec un autre logiciel ou une autre version.'],
    'pdf-figure-alt': [
      'Une image n’a pas de texte de remplacement',
      'Décrivez ce qu’elle montre, ou marquez-la comme artefact si elle décore.',
    ],
    'pdf-alt-quality': [
      'Un texte de remplacement ressemble à un nom de fichier ou à un bouche-trou',
      'Décrivez ce que dit l’image.',
    ],
    'pdf-formula-alt': ['Une formule n’a pas de texte de remplacement', 'Écrivez la formule en toutes lettres.'],
    'pdf-heading-skip': ['Un niveau de titre est sauté', 'Commencez au niveau 1 et descendez d’un niveau à la fois.'],
    'pdf-heading-mix': ['Des titres avec et sans numéro sont mêlés', 'N’utilisez que H1 à H6.'],
    'pdf-no-headings': ['Un document assez long n’a pas de titres', 'Balisez ses titres de H1 à H6.'],
    'pdf-bookmarks': ['Un long document n’a pas de signets', 'Créez des signets à partir des titres.'],
    'pdf-table-struct': [
      'Des parties d’un tableau sont mal imbriquées',
      'Placez les cellules dans des lignes, les lignes dans le tableau ou son en-tête, corps ou pied.',
    ],
    'pdf-table-regular': [
      'Les lignes ou colonnes d’un tableau sont de longueurs différentes',
      'Corrigez les fusions pour que chaque ligne ait le même nombre de colonnes.',
    ],
    'pdf-table-header': [
      'On ne sait pas quels en-têtes a une cellule',
      'Donnez une portée à chaque en-tête ou nommez ceux de chaque cellule.',
    ],
    'pdf-table-headers-id': ['Une cellule nomme un en-tête qui n’existe pas', 'Corrigez la liste d’en-têtes de la cellule.'],
    'pdf-table-noheader': [
      'Un tableau n’a pas de cellules d’en-tête',
      'Balisez-les en TH ; un tableau de mise en page ne doit pas être balisé.',
    ],
    'pdf-list-struct': [
      'Des parties d’une liste sont mal imbriquées',
      'Placez les éléments dans la liste, puce et texte dans l’élément.',
    ],
    'pdf-toc-struct': ['Des parties d’un sommaire sont mal imbriquées', 'Placez les entrées (TOCI) dans le sommaire (TOC).'],
    'pdf-note-id': ['Une note n’a pas d’identifiant propre', 'Donnez à chaque note un ID unique.'],
    'pdf-link-tag': ['Un lien n’est pas dans une balise Link', 'Placez-le dans une balise Link.'],
    'pdf-link-text': ['Un lien n’a pas de description', 'Dites dans ses propriétés où il mène.'],
    'pdf-field-name': ['Un champ de formulaire n’a pas de nom', 'Remplissez l’infobulle du champ.'],
    'pdf-field-tag': ['Un champ n’est pas dans une balise Form', 'Placez-le dans sa propre balise Form.'],
    'pdf-annot-tag': ['Une annotation n’est pas dans l’arbre des balises', 'Placez-la dans une balise Annot.'],
    'pdf-annot-alt': ['Une annotation n’a pas de description', 'Remplissez son contenu.'],
    'pdf-trapnet': ['Il contient des recouvrements d’impression interdits', 'Exportez-le sans recouvrements.'],
    'pdf-printer-mark': ['Un repère d’impression est balisé comme contenu', 'Retirez-le de l’arbre des balises.'],
    'pdf-tab-order': ['La touche Tab ne suit pas les balises', 'Réglez l’ordre de tabulation sur « structure du document ».'],
    'pdf-media': [
      'Il manque à un son ou une vidéo son type ou sa description',
      'Indiquez le type de contenu et un texte de remplacement.',
    ],
    'pdf-attachment': ['Un fichier joint n’a pas de nom', 'Nommez le fichier joint.'],
    'pdf-layers': ['Un réglage de calques n’a pas de nom ou change tout seul', 'Nommez-le et retirez ses états automatiques.'],
    'pdf-form-xobject': [
      'Un bloc réutilisé brouille l’ordre de lecture',
      'Exportez à nouveau ; un contenu balisé ne se dessine qu’une fois.',
    ],
    'pdf-unicode': [
      'Le texte ne peut être lu : ses caractères sont inconnus',
      'Exportez avec des polices qui gardent leurs valeurs Unicode.',
    ],
    'pdf-font-embed': ['Une police n’est pas incorporée', 'Incorporez toutes les polices à l’exportation.'],
    'pdf-font-data': ['Les données d’une police se contredisent', 'Exportez avec un autre logiciel ou une autre police.'],
    'pdf-ua-id': ['Il ne se déclare pas PDF/UA', 'Exportez en PDF/UA-1, ou posez la marque quand tout le reste est juste.'],
    'pdf-header': ['La première ligne ne nomme pas de version de PDF', 'Enregistrez-le avec un logiciel actuel.'],
    'pdf-contrast': [
      'Du texte est peu contrasté avec son fond',
      'Choisissez des couleurs d’au moins 4,5 pour 1 (3 pour 1 en grand).',
    ],
    'pdf-order': [
      'Les balises semblent suivre un autre ordre que la page',
      'Lisez la page par ses balises et déplacez celles qui sont mal placées.',
    ],
  },
}
