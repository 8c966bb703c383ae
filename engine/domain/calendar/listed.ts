/** Mainland China, India and Korea: days by list, those of a working week. */
import { listed, type Rule, together } from './rules.js';

/** The interbank market in Shanghai. Weekend days on which China works do not settle currencies. */
export const CNY: Rule = together([
  listed("New Year's Day", '20250101 20260101 20260102 20270101'),
  listed('Spring Festival', '20250128 20250129 20250130 20250131 20250203 20250204'),
  listed('Spring Festival', '20260216 20260217 20260218 20260219 20260220 20260223'),
  listed('Qingming', '20250404 20260406'),
  listed('Labour Day', '20250501 20250502 20250505 20260501 20260504 20260505'),
  listed('Dragon Boat Festival', '20250602 20260619'),
  listed('National Day and Mid-Autumn', '20251001 20251002 20251003 20251006 20251007 20251008'),
  listed('Mid-Autumn', '20260925'),
  listed('National Day', '20261001 20261002 20261005 20261006 20261007'),
]);

/** Mumbai: bank holidays by section 25 of the Negotiable Instruments Act, when money and currencies rest. */
export const INR: Rule = together([
  listed('Municipal elections', '20260115'),
  listed('Republic Day', '20260126 20270126'),
  listed('Shivaji Jayanti', '20250219 20260219 20270219'),
  listed('Mahashivratri', '20250226'),
  listed('Holi', '20250314 20260303'),
  listed('Gudi Padwa', '20260319'),
  listed('Id-ul-Fitr', '20250331'),
  listed('Annual closing of accounts', '20250401 20260401'),
  listed('Ram Navami', '20260326'),
  listed('Mahavir Jayanti', '20250410 20260331'),
  listed('Ambedkar Jayanti', '20250414 20260414'),
  listed('Good Friday', '20250418 20260403'),
  listed('Maharashtra Day', '20250501 20260501'),
  listed('Buddha Purnima', '20250512'),
  listed('Bakri Id', '20260528'),
  listed('Muharram', '20260626'),
  listed('Independence Day', '20250815'),
  listed('Ganesh Chaturthi', '20250827 20260914'),
  // Mumbai kept it on the Monday in 2025.
  listed('Id-e-Milad', '20250908 20260826'),
  listed('Gandhi Jayanti', '20251002 20261002'),
  listed('Dussehra', '20261020'),
  listed('Diwali (Laxmi Pujan)', '20251021'),
  listed('Diwali Balipratipada', '20251022 20261110'),
  listed('Guru Nanak Jayanti', '20251105 20261124'),
  listed('Christmas Day', '20251225 20261225'),
]);

/**
 * Public holidays with their substitutes, and election days. Labour Day and Constitution Day are public holidays from
 * 2026; on Labour Day banks rested before.
 */
export const KRW: Rule = together([
  listed("New Year's Day", '20250101 20260101 20270101'),
  listed('Temporary holiday', '20250127'),
  listed('Lunar New Year', '20250128 20250129 20250130 20260216 20260217 20260218 20270208'),
  listed('Lunar New Year (observed)', '20270209'),
  listed('Lunar New Year', '20280126 20280127 20280128'),
  listed('Independence Movement Day', '20270301 20280301'),
  listed('Independence Movement Day (observed)', '20250303 20260302'),
  listed('Election Day', '20250603 20260603 20280412'),
  listed('Labour Day', '20250501 20260501 20280501'),
  listed('Labour Day (observed)', '20270503'),
  listed("Children's Day", '20250505 20260505 20270505 20280505'),
  listed("Children's Day and Buddha's Birthday (observed)", '20250506'),
  listed("Buddha's Birthday", '20270513 20280502'),
  listed("Buddha's Birthday (observed)", '20260525'),
  listed('Memorial Day', '20250606 20280606'),
  listed('Constitution Day', '20260717 20280717'),
  listed('Constitution Day (observed)', '20270719'),
  listed('Liberation Day', '20250815 20280815'),
  listed('Liberation Day (observed)', '20260817 20270816'),
  listed('National Foundation Day', '20251003'),
  listed('National Foundation Day (observed)', '20261005 20271004'),
  listed('Chuseok', '20251006 20251007 20260924 20260925 20270914 20270915 20270916'),
  listed('Chuseok', '20281002 20281003 20281004'),
  listed('Chuseok (observed)', '20251008 20281005'),
  listed('Hangeul Day', '20251009 20261009 20281009'),
  listed('Hangeul Day (observed)', '20271011'),
  listed('Christmas Day', '20251225 20261225 20281225'),
  listed('Christmas Day (observed)', '20271227'),
]);
