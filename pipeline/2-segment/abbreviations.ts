/** Abbreviations, as data: what may follow their full stop decides whether a sentence ends there. */

/**
 * `title`: a name follows, a sentence never ends here. `inner`: something always follows. `number`: a number follows, else the
 * word is a word. `company`, `final`: may end a sentence. `month`: a day may follow. `time`: a time zone may follow.
 */
export type AbbreviationKind = 'title' | 'inner' | 'number' | 'company' | 'final' | 'month' | 'time';

const KINDS: Readonly<Record<AbbreviationKind, string>> = {
  title:
    'Mr Mrs Ms Mses Messrs Mme Mlle Dr Drs Prof Profs Gov Govs Sen Sens Rep Reps Gen Col Maj Capt Cmdr Lt Sgt Adm Amb Hon Pres ' +
    'Rev St Ste Mt Ft Shri Smt Sh Fr Ing Lic Engr Atty Supt Insp Mgr',
  inner:
    'vs v cf viz approx appr incl excl resp e.g i.e eg ie ca c.f n.b a.k.a aka esp tel ext Tel Ext Fax rel max min avg w/o ' +
    'intl natl mgmt mfg dept Dept Univ Assn Bldg Rm',
  number:
    'No Nos no nos N° n° Nº nº Art Arts art Sec Secs sec Fig Figs fig figs p pp P Pp para Para paras par Par Vol Vols vol vols Ch ch chap Chap ' +
    'Eq eq eqs Ref ref refs Tab tab App app Cap cap Rs Re Rp rd Reg reg ss cl col cf. pt Pt Ser ed eds',
  company: 'INC CORP LTD Inc Corp Co Cos Ltd Bros Pte Pty Pvt Bhd Sdn Intl Assoc Mfg co inc corp ltd',
  final:
    'etc al Jr Sr Esq bn mn tn trn mln bln mil bil yr yrs hr hrs mo mos wk wks sq lb lbs oz ft cu kg km cm mm st ave Ave Blvd ' +
    'blvd Rd Hwy Ln Pl Ct p.a p.p pa q.o.q y.o.y yoy qoq Ph.D PhD M.A B.A M.D D.C S.A N.A N.V B.V L.P L.L.C L.L.P',
  month: 'Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun',
  time: 'a.m p.m A.M P.M am pm AM PM',
};

const ABBREVIATIONS: ReadonlyMap<string, AbbreviationKind> = new Map(
  (Object.keys(KINDS) as AbbreviationKind[]).flatMap((kind) =>
    KINDS[kind].split(' ').map((word) => [word, kind] as const),
  ),
);

/** The kind of the word before a full stop, given without that stop; case matters. */
export const abbreviationKind = (word: string): AbbreviationKind | undefined => ABBREVIATIONS.get(word);

/** Words that go on with a time of day rather than begin a sentence. */
export const TIME_ZONES: ReadonlySet<string> = new Set(
  (
    'Pacific Eastern Central Mountain Greenwich London Paris Frankfurt Zurich Tokyo Beijing Singapore Israel Mumbai Sydney Melbourne ' +
    'Toronto Ottawa Brasilia Santiago Mexico Warsaw Moscow Istanbul Cairo Manila Bangkok Seoul Taipei Kuala Hong New British ' +
    'India Indian Japan Korea China Central-European ET PT CT MT EST EDT PST PDT CST CDT MST MDT GMT UTC BST CET CEST IST JST KST HKT SGT AEST AEDT ' +
    'Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July August September October ' +
    'November December'
  ).split(' '),
);

/** Capitalised words that follow `U.S.` and its like within a name. */
export const COUNTRY_FOLLOWERS: ReadonlySet<string> = new Set(
  (
    'Treasury Treasuries Government Federal Department Congress Dollar State States Senate House Zone Tax Bank Bancorp Army Navy Air Fed ' +
    'Exchange Securities District Food Food-and-Drug Postal Postmaster Supreme Court President Secretary Ambassador Attorney Administration ' +
    'Agency Bureau Census Trade Customs Chamber Patent Public Private Computer Software Biobank Steel Commerce Energy Economic ' +
    'Attorney-General Representative Retail Commercial Consumer Business Companion Prime Monetary GDP GAAP CAG Central Foods Health Healthcare ' +
    'Generally Labor Geological Virgin Territories Embassy Marine Marshal Forest Fish Coast Open Masters Oncology Renal'
  ).split(' '),
);

/** Names that a letter follows as a label, so that the letter is no initial: `Model S. Deliveries rose`. */
export const LABELLED: ReadonlySet<string> = new Set(
  (
    'Model Class Series Type Vitamin Plan Phase Part Group Tier Schedule Title Exhibit Appendix Annex Option Section Table Chart Figure Box ' +
    'Grade Category Scenario Factor Medicare Hepatitis Section Level Round Stage Unit Building Gate Line Route Form'
  ).split(' '),
);
