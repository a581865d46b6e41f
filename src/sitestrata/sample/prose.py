"""Running text of the sample web: sentences put together from our own phrases, in six languages.

A pool of sentences is made once a language and seed; pages then only pick from it, which is what makes text cheap.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from random import Random

__all__ = ["phrase", "sentences"]

POOL_SIZE = 1500  # sentences a language: enough that two pages rarely share a paragraph

# Subjects, verbs, objects and adverbials of a language; an empty adverbial is none.
# Japanese: subjects, objects, adverbials, verbs.
_EN = """
the committee | our workshop | a small crew | the older bridge | every visitor | the second edition |
the archive | a quiet street | the new line | the survey | most of the members | the harbour office |
a retired teacher | the first version | the reading room | the winter programme | the northern branch |
an open question | the team behind it | the printed catalogue | the morning train | a local firm |
the long table | the garden | the council | half of the class | the recipe | the whole valley |
the night shift | the last ferry

keeps | describes | has changed | brings together | depends on | explains | looks after | never mentions |
has replaced | carries | still needs | opened | measures | has collected | compares | supports | follows |
rebuilt | is about to finish | shares | publishes | remembers | asks for | often forgets | starts with |
will repair | counts | returned to | was looking for | offers

a record of the repairs | three kinds of timber | the plan for the coming year | a set of simple tools |
what readers wrote to us | the figures of the past season | the road to the lake | a box of old photographs |
the shortest way through the forest | new rules for the market | a dozen small changes |
the names of all who took part | the price of copper | an exact copy of the map | the weather of that week |
the second floor | a better way to sort the letters | the list of open tasks | a warm supper |
the results of both trials | the colours of the coast | a promise made in spring |
the measurements from the tower | several hundred pages | the part that most people skip |
fresh water for the village | the notes of the first meeting | a good deal of patience

since the spring | as far as we know | without any delay | in the old town hall |
for the second time this year | even when it rains | before the doors open | together with two neighbours |
by hand | at half the cost | on the way home | until the end of the month | although nobody had asked |
after a long discussion | for those who arrive late | as it did in the beginning | under a new roof |
with help from the coast | in small steps | behind the station | from one year to the next |
when the light is good |
"""
_DE = """
Der Verein | Unsere Werkstatt | Die alte Brücke | Jeder Besucher | Die zweite Auflage | Das Archiv |
Eine stille Straße | Das Hafenamt | Die erste Fassung | Der Lesesaal | Das Winterprogramm |
Die Gruppe aus dem Norden | Der gedruckte Katalog | Der Frühzug | Der lange Tisch | Der Gemeinderat |
Die halbe Klasse | Das ganze Tal | Die letzte Fähre | Der größte Teil der Mitglieder

bewahrt | beschreibt | ersetzt | braucht | erklärt | sammelt | vergleicht | eröffnet | misst | zählt |
veröffentlicht | sucht | trägt | verändert | bringt | prüft | kennt | zeigt | erneuert | verspricht

eine Liste der Reparaturen | drei Sorten Holz | den Plan für das kommende Jahr | einfache Werkzeuge |
die Briefe unserer Leser | die Zahlen der letzten Saison | den Weg zum See | eine Kiste alter Fotos |
neue Regeln für den Markt | ein Dutzend kleiner Änderungen | die Namen aller Beteiligten |
den Preis des Kupfers | eine genaue Kopie der Karte | das Wetter jener Woche | die Ergebnisse beider Versuche |
die Farben der Küste | frisches Wasser für das Dorf | mehrere hundert Seiten

seit dem Frühjahr | soweit wir wissen | ohne Verzögerung | im alten Rathaus | zum zweiten Mal in diesem Jahr |
auch bei Regen | vor der Öffnung | von Hand | zum halben Preis | auf dem Heimweg | bis zum Ende des Monats |
nach langer Aussprache | in kleinen Schritten | hinter dem Bahnhof | bei gutem Licht |
"""
_FR = """
Le comité | Notre atelier | Le vieux pont | Chaque visiteur | La deuxième édition | Le dépôt d'archives |
Une rue tranquille | Le bureau du port | La première version | La salle de lecture | Le programme d'hiver |
La branche du nord | Le catalogue imprimé | Le train du matin | La grande table | Le conseil |
La moitié de la classe | Toute la vallée | Le dernier bac | La plupart des membres

conserve | décrit | remplace | demande | explique | rassemble | compare | ouvre | mesure | compte | publie |
cherche | porte | modifie | apporte | vérifie | connaît | montre | répare | promet

la liste des réparations | trois sortes de bois | le projet de l'année prochaine | des outils très simples |
les lettres de nos lecteurs | les chiffres de la saison passée | le chemin du lac |
une boîte de vieilles photos | les règles du marché | une douzaine de changements | le nom des participants |
le prix du cuivre | une copie exacte de la carte | le temps de cette semaine | les résultats des deux essais |
les couleurs de la côte | de l'eau fraîche pour le village | plusieurs centaines de pages

depuis le printemps | à notre connaissance | sans aucun délai | dans l'ancienne mairie |
pour la deuxième fois cette année | même quand il pleut | avant l'ouverture | à la main | à moitié prix |
sur le chemin du retour | jusqu'à la fin du mois | après un long débat | petit à petit | derrière la gare |
quand la lumière est bonne |
"""
_ES = """
El comité | Nuestro taller | El puente viejo | Cada visitante | La segunda edición | El archivo |
Una calle tranquila | La oficina del puerto | La primera versión | La sala de lectura |
El programa de invierno | El grupo del norte | El catálogo impreso | El tren de la mañana | La mesa larga |
El ayuntamiento | Media clase | Todo el valle | El último barco | La mayoría de los socios

guarda | describe | sustituye | necesita | explica | reúne | compara | abre | mide | cuenta | publica | busca |
lleva | cambia | trae | revisa | conoce | muestra | repara | promete

la lista de reparaciones | tres clases de madera | el plan del año próximo | herramientas sencillas |
las cartas de los lectores | las cifras de la temporada pasada | el camino del lago |
una caja de fotos antiguas | las normas del mercado | una docena de pequeños cambios |
los nombres de los participantes | el precio del cobre | una copia exacta del mapa |
el tiempo de aquella semana | los resultados de ambas pruebas | los colores de la costa |
agua fresca para el pueblo | varios cientos de páginas

desde la primavera | que sepamos | sin demora | en el antiguo ayuntamiento | por segunda vez este año |
aunque llueva | antes de abrir | a mano | a mitad de precio | de vuelta a casa | hasta fin de mes |
después de un largo debate | paso a paso | detrás de la estación | cuando hay buena luz |
"""
_RU = """
Комитет | Наша мастерская | Старый мост | Каждый посетитель | Второе издание | Архив | Тихая улица |
Портовая служба | Первая версия | Читальный зал | Зимняя программа | Северное отделение | Печатный каталог |
Утренний поезд | Длинный стол | Совет | Половина класса | Вся долина | Последний паром |
Большинство участников

хранит | описывает | заменяет | требует | объясняет | собирает | сравнивает | открывает | измеряет | считает |
публикует | ищет | несёт | меняет | приносит | проверяет | знает | показывает | обновляет | обещает

список ремонтных работ | три сорта дерева | план на будущий год | простые инструменты | письма читателей |
данные прошлого сезона | дорогу к озеру | коробку старых фотографий | новые правила рынка |
десяток мелких изменений | имена всех участников | цену меди | точную копию карты | погоду той недели |
итоги обоих опытов | краски побережья | свежую воду для деревни | несколько сотен страниц

с самой весны | насколько мы знаем | без задержки | в старой ратуше | второй раз за год | даже в дождь |
до открытия | вручную | за полцены | по дороге домой | до конца месяца | после долгого спора | шаг за шагом |
за вокзалом | при хорошем свете |
"""
_JA = """
委員会は | 私たちの工房は | 古い橋は | 訪れる人はみな | 第二版は | 資料室は |
静かな通りは | 港の事務所は | 最初の版は | 閲覧室は | 冬の計画は | 北の支部は |
印刷された目録は | 朝の列車は | 長い机は | 村の議会は | 学級の半分は | 谷全体は |
最後の渡し船は | 会員の多くは

修理の記録を | 三種類の木材を | 来年の計画を | 簡単な道具を | 読者の手紙を | 昨季の数字を |
湖への道を | 古い写真の箱を | 市場の新しい規則を | 小さな変更を | 参加者の名前を |
銅の値段を | 地図の正確な写しを | その週の天気を | 二つの試験の結果を | 海岸の色を |
村のための水を | 数百頁の本を

春から | 知る限りでは | 遅れることなく | 古い役場で | 今年二度目に | 雨の日でも |
開く前に | 手作業で | 半分の費用で | 帰り道に | 月末まで | 長い話し合いの後 | 少しずつ |
駅の裏で | 光の良いときに

保存している | 説明する | 取り替えた | 必要としている | 集めている | 比べている |
開いた | 測っている | 数えている | 公開した | 探している | 運ぶ | 変えた | 確かめる |
知っている | 示している | 直した | 約束した
"""
_PHRASES = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES, "ru": _RU, "ja": _JA}

# Short noun phrases for titles of articles, items and sections: first halves, second halves.
_TITLES = {
    "en": """
Quiet | Northern | Open | Second | Hidden | Long | Early | Narrow | Bright | Steady | Plain | Broken | Distant |
Common | Late | Slow | Wooden | Silver | Lower | Warm | Hollow | Eastern | Spare | Gentle | Sharp

harbour | ledger | orchard | signal | bridge | market | lantern | meadow | engine | letter | valley | winter |
kettle | ferry | survey | window | garden | compass | river | station | quarry | mill | island | needle |
archive | chapel | furnace | tide | canvas | ladder
""",
    "de": """
Stille | Neue | Offene | Zweite | Lange | Frühe | Schmale | Helle | Feste | Ferne | Späte | Alte | Kleine |
Warme

Brücke | Werkstatt | Laterne | Wiese | Maschine | Fähre | Mühle | Insel | Karte | Glocke | Leiter | Quelle |
Scheune | Straße | Chronik | Kammer
""",
    "fr": """
Petite | Nouvelle | Longue | Seconde | Vieille | Grande | Première | Dernière | Haute | Autre

rive | lanterne | vallée | machine | lettre | fenêtre | gare | île | carrière | marée | échelle | forge |
chapelle | toile | saison | enquête
""",
    "es": """
Nueva | Segunda | Larga | Pequeña | Vieja | Primera | Última | Buena | Otra | Alta

orilla | linterna | pradera | máquina | carta | ventana | estación | isla | cantera | marea | escalera |
fragua | capilla | tela | encuesta
""",
    "ru": """
Тихая | Новая | Вторая | Длинная | Старая | Первая | Поздняя | Ясная | Малая | Дальняя

пристань | лампа | долина | машина | переправа | мельница | карта | лестница | станция | каменоломня | волна |
часовня | хроника
""",
    "ja": """
静かな | 新しい | 長い | 古い | 小さな | 明るい | 遠い | 第二の | 最初の |
細い

港 | 橋 | 市場 | 灯り | 谷 | 手紙 | 機械 | 渡し | 島 | 地図 | 階段 | 泉 |
駅 | 記録 | 窓
""",
}


@cache
def _split(text: str) -> tuple[list[str], ...]:
    """Return the lists of a text: blank lines part the lists, bars the phrases."""
    parts = text.strip().replace("\n\n", "#").replace("\n", " ").split("#")
    return tuple([words.strip() for words in part.split("|")] for part in parts)


def _sentence(parts: tuple[list[str], ...], language: str, pick: Callable[[], float]) -> str:
    chosen = [words[int(pick() * len(words))] for words in parts]
    if language == "ja":
        return f"{chosen[0]}{chosen[2]}{chosen[1]}{chosen[3]}。"
    subject = chosen[0][0].upper() + chosen[0][1:]
    tail = f" {chosen[3]}" if chosen[3] else ""
    return f"{subject} {chosen[1]} {chosen[2]}{tail}."


def _mark(text: str, rng: Random, language: str) -> str:
    """Set one word or phrase of a sentence off."""
    tag = rng.choice(("em", "b", "i", "code", "strong", "span"))
    if language == "ja":
        return f"<{tag}>{text[:4]}</{tag}>{text[4:]}"
    words = text.split(" ")
    place = rng.randrange(len(words) - 1)
    words[place] = f"<{tag}>{words[place]}</{tag}>"
    return " ".join(words)


@lru_cache(maxsize=64)
def sentences(language: str, seed: int) -> tuple[str, ...]:
    """Return a pool of sentences of a language as HTML; every second one is a compound of two."""
    rng = Random(seed * 1_000_003 + sum(map(ord, language)))  # noqa: S311 - text, not secrets
    parts = _split(_PHRASES[language])
    pool = []
    for number in range(POOL_SIZE):
        text = _sentence(parts, language, rng.random)
        if number % 2:
            other = _sentence(parts, language, rng.random)
            text = text + other if language == "ja" else f"{text[:-1]}; {other[0].lower()}{other[1:]}"
        if rng.random() < 0.3:
            text = _mark(text, rng, language)
        pool.append(text)
    return tuple(pool)


def phrase(language: str, rng: Random) -> str:
    """Return a short made-up noun phrase, for a title."""
    first, second = _split(_TITLES[language])
    head = first[int(rng.random() * len(first))]
    tail = second[int(rng.random() * len(second))]
    return f"{head}{tail}" if language == "ja" else f"{head} {tail}"
