import Languages
import Testing

@Suite struct LanguageTests {
  @Test(arguments: [
    ([:], "en"), (["LANG": "C"], "en"), (["LANG": "POSIX"], "en"), (["LANG": "C.UTF-8"], "en"),
    (["LANG": "de_DE.UTF-8"], "de"), (["LANG": "de"], "de"), (["LANG": "de_AT@euro"], "de"),
    (["LANG": "es_MX.UTF-8"], "es"), (["LANG": "it_CH"], "it"), (["LANG": "ru_RU.KOI8-R"], "ru"),
    (["LANG": "fr_FR.UTF-8"], "en"), (["LANG": "den_XX"], "en"), (["LANG": ""], "en"), (["LANG": "_"], "en"),
    // LC_MESSAGES takes precedence over LANG, and LC_ALL over both. An empty variable counts as unset.
    (["LANG": "de_DE", "LC_MESSAGES": "it_IT"], "it"), (["LANG": "de_DE", "LC_MESSAGES": ""], "de"),
    (["LANG": "de_DE", "LC_MESSAGES": "it_IT", "LC_ALL": "ru_RU"], "ru"),
    (["LANG": "de_DE", "LC_ALL": "C"], "en"), (["LANG": "de_DE", "LC_MESSAGES": "en_US.UTF-8"], "en"),
    // LANGUAGE takes precedence over all, unless the locale is C.
    (["LANG": "en_US", "LANGUAGE": "it:de"], "it"), (["LANG": "C", "LANGUAGE": "it:de"], "en"),
    (["LANGUAGE": "it"], "en"), (["LANG": "fr_FR", "LANGUAGE": "fr:pt_BR:es"], "es"),
    (["LANG": "de_DE", "LANGUAGE": "en:de"], "en"), (["LANG": "de_DE", "LANGUAGE": ":"], "de"),
    (["LANG": "de_DE", "LANGUAGE": "xx"], "en"), (["LC_NUMERIC": "de_DE"], "en"),
  ])
  func environmentsNameOne(_ environment: [String: String], _ wanted: String) {
    #expect(Language(environment: environment).name.rawValue == wanted, "\(environment)")
  }

  @Test(arguments: [
    (["LANG": "de_DE"], ","), (["LANG": "de_CH.UTF-8"], "."), (["LANG": "es_ES"], ","),
    (["LANG": "es_MX"], "."),
    (["LANG": "de_DE", "LC_NUMERIC": "C"], "."), (["LANG": "de_DE", "LC_NUMERIC": "en_US"], "."),
    (["LANG": "en_US", "LC_NUMERIC": "de_DE"], "."), (["LANG": "ru_RU"], ","),
    (["LC_ALL": "it_IT", "LC_NUMERIC": "C"], ","), (["LANG": "C", "LC_NUMERIC": "de_DE"], "."),
  ])
  func decimalSeparatorsAreThoseOfTheLocale(_ environment: [String: String], _ wanted: String) {
    #expect(Language(environment: environment).point == wanted, "\(environment)")
  }

  @Test(arguments: [
    ("", "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en-GB,de;q=0.9", "en"),
    ("fr-FR, fr;q=0.9, es;q=0.5, it;q=0.7", "it"), ("de;q=0,it;q=0.1", "it"), ("*", "en"), ("fr;q=1", "en"),
    ("de;q=x", "en"), (String(repeating: "fr,", count: 400) + "de", "en"), ("ru", "ru"), (";;,,=", "en"),
  ])
  func browsersNameOne(_ accepted: String, _ wanted: String) {
    #expect(Language(accepted: accepted).name.rawValue == wanted, "\(accepted)")
  }
}
