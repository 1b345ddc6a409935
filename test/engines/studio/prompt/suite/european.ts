// Descriptive prompts in German, French, Spanish, Italian, Portuguese and Russian, and what a director expects of each.

import type { Expected } from './reading.ts'

export const german: Expected[] = [
  [
    'Eine Frau im roten Mantel steht am Fenster, langsame Kamerafahrt auf sie zu, weiches Morgenlicht, 35mm',
    'slow push in',
  ],
  [
    'Es beginnt zu schneien, die Kamera schwenkt langsam nach links über das Dorf, ruhige Stimmung',
    'slow pan left; with snow',
  ],
  [
    'Nahaufnahme einer dampfenden Tasse Kaffee, Dampf steigt auf, geringe Schärfentiefe, langsam heranzoomen',
    'slow push in; with steam, shallow depth of field; framed close-up',
  ],
  [
    'Ein alter Mann lächelt, die Kamera fährt langsam zurück, warmes Licht',
    'slow pull out; with warm light; not Ein alter Mann lächelt',
  ],
  [
    'Totale einer Burg im Nebel, Vögel fliegen vorbei, Kamera fährt nach oben, düster',
    'tilt up; with fog; framed wide; not Vögel fliegen vorbei',
  ],
  ['Die Kamera umkreist die Tänzerin, Konfetti fällt, Zeitlupe', 'slow orbit right; with confetti, slow motion'],
  [
    'Starker Regen auf einer Straße bei Nacht, Menschen laufen mit Schirmen, Handkamera',
    'handheld; with rain; not Menschen laufen mit Schirmen',
  ],
  ['Wolken ziehen über die Berge, die Sonne geht auf, statische Kamera', 'static; with drifting clouds, sunrise'],
  [
    'Das Telefon klingelt und zittert auf dem Tisch, langsamer Schwenk nach rechts',
    'slow pan right; not Das Telefon klingelt | zittert auf dem Tisch',
  ],
  [
    'Zuerst zoomt die Kamera heran, dann schwenkt sie nach rechts, Blätter wirbeln im Wind',
    'push in, pan right; with falling leaves',
  ],
  [
    'Das Meer glitzert bei Sonnenuntergang, ein Segelboot gleitet vorbei, Kamera steht still',
    'static; with moving water, warm light; not ein Segelboot gleitet vorbei',
  ],
]

export const french: Expected[] = [
  [
    'Une femme en manteau rouge se tient à la fenêtre, travelling avant lent, lumière douce du matin, ambiance mélancolique',
    'slow push in',
  ],
  [
    "L'eau scintille sur le canal, une gondole passe, panoramique vers la droite",
    'pan right; with moving water; not une gondole passe',
  ],
  [
    'Gros plan sur ses mains, elle joue du piano, faible profondeur de champ, grain argentique',
    'with shallow depth of field, film grain; framed close-up; not elle joue du piano',
  ],
  ['La neige tombe doucement sur le village, la caméra recule lentement, ambiance de Noël', 'slow pull out; with snow'],
  ['Il commence à pleuvoir, les passants courent, caméra à l’épaule', 'handheld; with rain; not les passants courent'],
  [
    'Plan large d’un château dans la brume, la caméra monte vers le ciel, lumière dorée',
    'tilt up; with fog, warm light; framed wide',
  ],
  [
    'La caméra tourne autour de la danseuse, des pétales tombent, ralenti',
    'slow orbit right; with falling petals, slow motion',
  ],
  [
    'Plan fixe, les nuages défilent au-dessus de la mer, noir et blanc',
    'static; with drifting clouds, black and white',
  ],
  [
    'Le soleil se couche derrière les montagnes, la caméra s’éloigne lentement',
    'slow pull out; with day turning to dusk',
  ],
  [
    'Un homme ouvre une porte, puis la caméra zoome sur son visage, éclairage dramatique',
    'push in; not Un homme ouvre une porte',
  ],
  ['De la vapeur s’élève de la tasse, zoom avant, ambiance chaleureuse', 'push in; with steam'],
]

export const spanish: Expected[] = [
  [
    'Una mujer con abrigo rojo está junto a la ventana, la cámara se acerca lentamente, luz suave de la mañana',
    'slow push in',
  ],
  [
    'Caen pétalos sobre el jardín, paneo lento hacia la izquierda, ambiente romántico',
    'slow pan left; with falling petals',
  ],
  [
    'Pétalos cayendo alrededor de la novia, la novia sonríe, cámara lenta',
    'with falling petals, slow motion; not la novia sonríe',
  ],
  ['Comienza a nevar en la ciudad, la cámara se aleja despacio, tonos fríos', 'slow pull out; with snow, cold light'],
  [
    'Primer plano de un anciano, fuma una pipa, el humo sube, blanco y negro',
    'with smoke, black and white; framed close-up; not fuma una pipa',
  ],
  ['La cámara gira alrededor de la estatua, niebla densa, luz de la luna', 'orbit right; with fog, cold light'],
  [
    'Plano general de la playa al atardecer, las olas rompen en la orilla, cámara fija',
    'static; with warm light, moving water; framed wide',
  ],
  [
    'Un perro corre por el campo, la cámara sigue al perro, cámara en mano',
    'push in, handheld; not Un perro corre por el campo',
  ],
  [
    'Llueve con fuerza sobre los tejados, relámpagos en el cielo, la cámara sube lentamente',
    'slow tilt up; with rain, lightning',
  ],
  ['Las nubes se mueven lentamente, la cámara hace un paneo de izquierda a derecha', 'pan right; with drifting clouds'],
  ['Una vela parpadea en la oscuridad, zoom lento, ambiente íntimo', 'slow push in; with flickering light'],
]

export const italian: Expected[] = [
  [
    'Una donna con un cappotto rosso è alla finestra, la telecamera si avvicina lentamente, luce morbida del mattino',
    'slow push in',
  ],
  [
    'La macchina da presa segue il ciclista, luce dorata, leggera grana della pellicola',
    'push in, handheld; with warm light, film grain',
  ],
  ['Comincia a nevicare sul villaggio, carrellata indietro lenta, atmosfera tranquilla', 'slow pull out; with snow'],
  [
    'Primo piano di un musicista, suona il violino, sfondo sfocato',
    'with shallow depth of field; framed close-up; not suona il violino',
  ],
  ['Cadono foglie nel parco, panoramica verso destra, nebbia leggera', 'pan right; with falling leaves, fog'],
  [
    'Le onde si infrangono sugli scogli, il sole tramonta, inquadratura fissa',
    'static; with moving water, day turning to dusk',
  ],
  [
    'La telecamera ruota attorno alla ballerina che danza, polvere nella luce',
    'orbit right; with dust; not ballerina che danza',
  ],
  [
    'Campo lungo delle colline, le nuvole scorrono nel cielo, la camera sale lentamente',
    'slow tilt up; with drifting clouds; framed wide',
  ],
  [
    'Un bambino ride e corre sulla spiaggia, macchina a mano, colori caldi',
    'handheld; with warm light; not Un bambino ride | corre sulla spiaggia',
  ],
  ['Pioggia intensa sulla strada di notte, luci al neon, la camera si allontana', 'pull out; with rain'],
]

export const portuguese: Expected[] = [
  ['Uma mulher de casaco vermelho está à janela, a câmera se aproxima devagar, luz suave da manhã', 'slow push in'],
  ['Grua para cima sobre a cidade, nuvens passam no céu, pôr do sol', 'tilt up; with drifting clouds, warm light'],
  [
    'Começa a chover na rua, pessoas correm com guarda-chuvas, câmera na mão',
    'handheld; with rain; not pessoas correm com guarda-chuvas',
  ],
  [
    'Primeiro plano de uma xícara de café, vapor subindo, pouca profundidade de campo, zoom lento',
    'slow push in; with steam, shallow depth of field; framed close-up',
  ],
  ['A câmera gira em torno da estátua, neblina, luz fria', 'orbit right; with fog, cold light'],
  [
    'Folhas caindo no parque, panorâmica lenta para a direita, câmera lenta',
    'slow pan right; with falling leaves, slow motion',
  ],
  [
    'Um velho sorri e acena, a câmera se afasta lentamente, preto e branco',
    'slow pull out; with black and white; not Um velho sorri | acena',
  ],
  [
    'Plano aberto da praia, ondas quebram na areia, câmera fixa, amanhecer',
    'static; with moving water, sunrise; framed wide',
  ],
  [
    'A noite cai sobre a vila, vagalumes brilham, a câmera sobe devagar',
    'slow tilt up; with day turning to dusk, fireflies',
  ],
  ['A câmera segue o carro pela estrada, poeira levantando, luz dourada', 'push in, handheld; with dust, warm light'],
]

export const russian: Expected[] = [
  ['Женщина в красном пальто стоит у окна, камера медленно приближается, мягкий утренний свет', 'slow push in'],
  ['Камера летит вперёд над лесом, туман между деревьями, рассвет', 'push in; with fog, sunrise'],
  ['Начинается снегопад, камера медленно отъезжает, тихая деревня', 'slow pull out; with snow'],
  [
    'Крупный план старика, он курит трубку, дым, чёрно-белое',
    'with smoke, black and white; framed close-up; not он курит трубку',
  ],
  ['Падают лепестки, девушка улыбается, замедленная съёмка', 'with falling petals, slow motion; not девушка улыбается'],
  ['Камера облетает вокруг статуи, сильный дождь, молнии', 'orbit right; with rain, lightning'],
  [
    'Общий план города ночью, неоновые вывески мерцают, панорама вправо',
    'pan right; with flickering light; framed wide',
  ],
  ['Статичная камера, волны бьются о скалы, облака плывут', 'static; with moving water, drifting clouds'],
  [
    'Мальчик бежит по полю, камера следует за ним, тёплый свет',
    'push in, handheld; with warm light; not Мальчик бежит по полю',
  ],
  [
    'Сначала камера наезжает на лицо, затем поднимается вверх, пыль в лучах солнца',
    'push in, tilt up; with dust, sunrays',
  ],
]
