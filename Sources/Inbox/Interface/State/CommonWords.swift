import Messages

/// Words that occur in sentences of a language on any subject. They do not identify a title.
enum CommonWords {
  /// The words in the form for comparison.
  static let all = Set(
    [english, german, french, spanish, italian, portuguese, dutch, russian, hindi, chinese]
      .flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { SearchText.folded(String($0)) })

  private static let english = """
    about above across after again against all almost already also although always and another
    any anyone anything are aren around away back because been before being below between both
    but can cannot could did does doesn don done down during each either else enough even ever
    every everyone everything far few first for from full get gets getting give gives goes
    going gone good got had has have having her here hers him his how however into isn its
    itself just keep last least less let like made make makes making many may maybe might more
    most much must need needs never new next nobody nor not nothing now off often once one
    only onto our out over own part perhaps put rather really same see seen several shall she
    should since some someone something soon still such take than that the their them then
    there these they thing things this those though through thus too toward under until upon
    use used using very was way well were what when where whether which while who whole whom
    whose why will with within without won would yet you your
    """

  private static let german = """
    aber alle allem allen aller alles als also andere auch auf aus bei beim bis das dass dein
    dem den denn der des die dies diese diesem diesen dieser dieses doch dort durch ein eine
    einem einen einer eines etwas euch euer für haben habe hat hatte hier ich ihr ihre ihm ihn
    immer ist jede jeder jedes jetzt kann kein keine können mehr mein mit muss nach nicht
    nichts noch nun nur oder ohne schon sehr sein seine sich sie sind soll über und uns unser
    unter vom von vor war waren warum was weil wenn wer werden wie wieder wir wird wurde zum
    zur zwischen
    """

  private static let french = """
    ainsi alors après aussi autre autres avant avec avoir beaucoup car ces cet cette comme
    comment contre dans des deux donc elle elles encore entre est être fait ils leur leurs
    lors lui mais même moins mon nos notre nous pas peu peut plus pour pourquoi quand que quel
    quelle qui quoi sans ses son sont sous sur tous tout toute toutes très une vers voici vos
    votre vous
    """

  private static let spanish = """
    algo antes aquí así aún cada como con contra cual cuando cómo del desde donde dos durante
    ella ellos ese esta este esto están fue gracias hacia han hasta hay las los más menos
    mientras mucho muy nos nosotros otra otro para pero poco por porque qué quien según ser
    sin sobre son sus también tan tiene toda todo tras una uno unos usted
    """

  private static let italian = """
    anche ancora che chi come con così cosa dal dalla degli dei del della delle dopo dove gli
    hanno loro molto nel nella non ogni per perché più poi prima quale quando quello questa
    questo senza sono sopra sua sul sulla suo tra tutti tutto una
    """

  private static let portuguese = """
    ainda cada com como das dos ela eles essa esse foi isso mais mas muito não nas nos para
    pela pelo por quando que quem sem ser seu seus sobre são também tem uma você
    """

  private static let dutch = """
    alle als deze dat die dit door een had heb heeft het hoe hun ik je kan maar meer met naar
    niet nog ook over uit van voor waar wat werd wie wij zijn zoals zonder
    """

  private static let russian = """
    без почему потому зачем был была были быть вас ваш весь вот все всё где для его если есть ещё как когда
    который кто мне может мы над нас наш нет них она они оно под при про так также там то тоже
    только тот уже чем что чтобы эта эти это этот
    """

  private static let hindi = """
    अपना अपनी अपने अब इस इसके इसमें उनके उन्हें उसके एक कब करता करते करना करने कहाँ किया किसी
    कैसे कोई क्या क्यों गया गई जब जहाँ तक तथा तरह तो थी थे दिया नहीं पर फिर बाद बहुत यदि यहाँ
    या रहा रही रहे लिए लेकिन वह वाला वाले सकता सभी साथ से हम हुआ हुई हुए होता होती होते होना
    """

  /// Pairs of characters, the units of titles in Chinese.
  private static let chinese = """
    一个 一個 一些 一种 一種 上的 不是 个人 中的 了一 什么 什麼 他们 他們 以及 但是 你们
    你們 其他 其中 可以 因为 因為 在一 如何 如果 就是 已经 已經 并且 並且 怎么 怎麼 怎样
    怎樣 我们 我們 所有 所以 或者 没有 沒有 的一 自己 还是 還是 这个 這個 这些 這些 进行
    進行 通过 通過 那个 那個 那些 非常
    """
}
