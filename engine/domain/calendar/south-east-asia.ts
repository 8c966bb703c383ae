/**
 * Calendars of South-East Asia: they hang on the moon and on what governments announce, so days by list, those of a
 * working week. Where each list comes from stands in the table of currencies.
 */
import { listed, type Rule, together } from './rules.js';

/** National holidays and the collective leave around them, on which banks rest too. */
export const IDR: Rule = together([
  listed("New Year's Day", '20250101 20260101 20270101'),
  listed('Ascension of the Prophet', '20250127 20260116 20270105'),
  listed('Lunar New Year (collective leave)', '20250128 20260216 20270205'),
  listed('Lunar New Year', '20250129 20260217'),
  listed('Day of Silence (collective leave)', '20250328 20260318'),
  listed('Day of Silence', '20260319 20270308'),
  listed('Eid al-Fitr', '20250331 20250401 20270310 20270311'),
  listed('Eid al-Fitr (collective leave)', '20250402 20250403 20250404 20250407 20260320 20260323 20260324'),
  listed('Eid al-Fitr (collective leave)', '20270309 20270312 20270315'),
  listed('Good Friday (collective leave)', '20270325'),
  listed('Good Friday', '20250418 20260403 20270326'),
  listed('Labour Day', '20250501 20260501'),
  listed('Vesak Day', '20250512 20270520'),
  listed('Vesak Day (collective leave)', '20250513 20270519'),
  listed('Ascension Day', '20250529 20260514 20270506'),
  listed('Ascension Day (collective leave)', '20250530 20260515'),
  listed('Pancasila Day', '20260601 20270601'),
  listed('Eid al-Adha', '20250606 20260527 20270517'),
  listed('Eid al-Adha (collective leave)', '20250609 20260528 20270518'),
  listed('Islamic New Year', '20250627 20260616'),
  listed('Independence Day (collective leave)', '20250818'),
  listed('Independence Day', '20260817 20270817'),
  listed("Prophet's Birthday", '20250905 20260825'),
  listed('Christmas (collective leave)', '20251226 20261224 20271224'),
  listed('Christmas Day', '20251225 20261225'),
]);

/** Kuala Lumpur: a holiday on a Sunday is kept on the next day that is none. */
export const MYR: Rule = together([
  listed("New Year's Day", '20250101 20260101 20270101'),
  listed('Thaipusam', '20250211 20270122'),
  listed('Federal Territory Day', '20270201'),
  listed('Federal Territory Day and Thaipusam (observed)', '20260202'),
  listed('Chinese New Year', '20250129 20250130 20260217 20260218'),
  listed('Chinese New Year (observed)', '20270208'),
  listed('Nuzul Al-Quran', '20250318 20270224'),
  listed('Hari Raya Aidilfitri', '20250331 20250401 20270310 20270311'),
  listed('Hari Raya Aidilfitri (additional)', '20260320'),
  listed('Hari Raya Aidilfitri (observed)', '20260323'),
  listed('Labour Day', '20250501 20260501'),
  listed('Vesak Day', '20250512 20270520'),
  listed("King's Birthday", '20250602 20260601 20270607'),
  listed('Vesak Day (observed)', '20260602'),
  listed('Hari Raya Aidiladha', '20260527 20270517'),
  listed('Islamic New Year', '20250627 20260617'),
  listed('National Day', '20260831 20270831'),
  listed('National Day (observed)', '20250901'),
  listed("Prophet's Birthday", '20250905 20260825'),
  listed("Prophet's Birthday (observed)", '20270816'),
  listed('Malaysia Day (additional)', '20250915'),
  listed('Malaysia Day', '20250916 20260916 20270916'),
  listed('Deepavali', '20251020 20271028'),
  listed('Deepavali (observed)', '20261109'),
  listed('Christmas Day', '20251225 20261225'),
]);

/** Regular holidays and special non-working days; on special working days banks are open. */
export const PHP: Rule = together([
  listed("New Year's Day", '20250101 20260101 20270101'),
  listed('Chinese New Year', '20250129 20260217'),
  listed("Eid'l Fitr", '20250401 20260320'),
  listed('Maundy Thursday', '20250417 20260402 20270325'),
  listed('Good Friday', '20250418 20260403 20270326'),
  listed('Day of Valor', '20250409 20260409 20270409'),
  listed('Labour Day', '20250501 20260501'),
  listed('Election Day', '20250512'),
  listed("Eid'l Adha", '20250606 20260527'),
  listed('Independence Day', '20250612 20260612'),
  listed('Ninoy Aquino Day', '20250821 20260821'),
  listed('National Heroes Day', '20250825 20260831 20270830'),
  listed('Eve of All Saints', '20251031'),
  listed('All Saints', '20271101'),
  listed('All Souls', '20261102 20271102'),
  listed('Bonifacio Day', '20261130 20271130'),
  listed('Immaculate Conception', '20251208 20261208 20271208'),
  listed('Christmas Eve', '20251224 20261224 20271224'),
  listed('Christmas Day', '20251225 20261225'),
  listed('Rizal Day', '20251230 20261230 20271230'),
  listed("New Year's Eve", '20251231 20261231 20271231'),
]);

/** A holiday on a Sunday is kept on the Monday, one on a Saturday is not moved. */
export const SGD: Rule = together([
  listed("New Year's Day", '20170102 20250101 20260101 20270101'),
  listed('Chinese New Year', '20170130 20250129 20250130 20260217 20260218 20280126 20280127'),
  listed('Chinese New Year (observed)', '20270208'),
  listed('Hari Raya Puasa', '20250331 20270310'),
  listed('Good Friday', '20250418 20260403 20270326'),
  listed('Labour Day', '20250501 20260501'),
  listed('Vesak Day', '20250512 20270520'),
  listed('Vesak Day (observed)', '20260601'),
  listed('Hari Raya Haji', '20260527 20270517'),
  listed('National Day', '20270809'),
  listed('National Day (observed)', '20260810'),
  listed('Deepavali', '20251020 20271028'),
  listed('Deepavali (observed)', '20261109'),
  listed('Christmas Day', '20161226 20251225 20261225'),
]);

/**
 * Financial institutions: Asarnha Bucha is theirs, Buddhist Lent Day is the government's, and of Songkran no more than
 * the three days.
 */
export const THB: Rule = together([
  listed("New Year's Day", '20250101 20260101 20270101'),
  listed('Special holiday', '20250602 20250811 20260102'),
  listed('Makha Bucha', '20250212 20260303'),
  listed('Chakri Day', '20260406'),
  listed('Chakri Day (observed)', '20250407'),
  listed('Songkran', '20250414 20250415 20260413 20260414 20260415'),
  listed('Labour Day', '20250501 20260501'),
  listed('Coronation Day', '20260504'),
  listed('Coronation Day (observed)', '20250505'),
  listed('Visakha Bucha (observed)', '20250512 20260601'),
  listed("Queen's Birthday", '20250603 20260603'),
  listed('Asarnha Bucha', '20250710 20260729'),
  listed("King's Birthday", '20250728 20260728'),
  listed("Mother's Day", '20250812 20260812'),
  listed('King Bhumibol Memorial Day', '20251013 20261013'),
  listed('Chulalongkorn Day', '20251023 20261023'),
  listed('Birthday of King Bhumibol', '20251205'),
  listed('Birthday of King Bhumibol (observed)', '20261207'),
  listed('Constitution Day', '20251210 20261210'),
  listed("New Year's Eve", '20251231 20261231'),
]);
