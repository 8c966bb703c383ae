/**
 * Calendars that hang on decrees, proclamations and sightings of the moon: days by list, each with where the list
 * comes from.
 */
import { listed, type Rule, together } from './rules.js';

/** China's interbank market; State Council General Office, notices on the holidays of 2025 and of 2026. */
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

/** Joint decree of three ministers on national holidays and collective leave of 2026, which Bank Indonesia keeps. */
export const IDR: Rule = together([
  listed('Independence Day', '20260817'),
  listed("Prophet's Birthday", '20260825'),
  listed('Christmas (collective leave)', '20261224'),
  listed('Christmas Day', '20261225'),
]);

/** Mumbai; holidays under the Negotiable Instruments Act, as the exchanges there keep them in 2026. */
export const INR: Rule = together([
  listed('Ganesh Chaturthi', '20260914'),
  listed('Gandhi Jayanti', '20261002'),
  listed('Dussehra', '20261020'),
  listed('Diwali Balipratipada', '20261110'),
  listed('Guru Nanak Jayanti', '20261124'),
  listed('Christmas Day', '20261225'),
  listed('Republic Day', '20270126'),
]);

/** Public holidays by the Act on Public Holidays with its substitutes, election days, and 1 May, when banks close. */
export const KRW: Rule = together([
  listed("New Year's Day", '20250101 20260101 20270101'),
  listed('Lunar New Year', '20250127 20250128 20250129 20250130 20260216 20260217 20260218 20270208 20270209'),
  listed('Independence Movement Day', '20250303 20260302 20270301'),
  listed('Labour Day', '20250501 20260501'),
  listed("Children's Day", '20250505 20250506 20260505'),
  listed("Buddha's Birthday", '20260525'),
  listed('Election Day', '20250603 20260603'),
  listed('Memorial Day', '20250606'),
  listed('Liberation Day', '20250815 20260817'),
  listed('National Foundation Day', '20251003 20261005'),
  listed('Chuseok', '20251006 20251007 20251008 20260924 20260925'),
  listed('Hangeul Day', '20251009 20261009'),
  listed('Christmas Day', '20251225 20261225'),
]);

/** Kuala Lumpur; Cabinet Division, federal public holidays of 2026. */
export const MYR: Rule = together([
  listed('Malaysia Day', '20260916'),
  listed('Deepavali (observed)', '20261109'),
  listed('Christmas Day', '20261225'),
  listed("New Year's Day", '20270101'),
]);

/** Proclamation of the holidays of 2026: regular holidays and special days. */
export const PHP: Rule = together([
  listed('All Souls', '20261102'),
  listed('Bonifacio Day', '20261130'),
  listed('Immaculate Conception', '20261208'),
  listed('Christmas Eve', '20261224'),
  listed('Christmas Day', '20261225'),
  listed('Rizal Day', '20261230'),
  listed("New Year's Eve", '20261231'),
]);

/** Ministry of Manpower, public holidays of 2025 and 2026; 2017 from its list of that year. */
export const SGD: Rule = together([
  listed("New Year's Day", '20170102 20250101 20260101 20270101'),
  listed('Chinese New Year', '20170130 20250129 20250130 20260217 20260218 20270208'),
  listed('Hari Raya Puasa', '20250331'),
  listed('Good Friday', '20250418 20260403'),
  listed('Labour Day', '20250501 20260501'),
  listed('Vesak Day', '20250512 20260601'),
  listed('Hari Raya Haji', '20260527'),
  listed('National Day', '20260810'),
  listed('Deepavali', '20251020 20261109'),
  listed('Christmas Day', '20161226 20251225 20261225'),
]);

/** Bank of Thailand, holidays of financial institutions of 2026. */
export const THB: Rule = together([
  listed('King Bhumibol Memorial Day', '20261013'),
  listed('Chulalongkorn Day', '20261023'),
  listed('Birthday of King Bhumibol (observed)', '20261207'),
  listed('Constitution Day', '20261210'),
  listed("New Year's Eve", '20261231'),
]);
