import { expect } from 'chai';
import { run } from '../../../../plugins/samples/algorithms/language-detection/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';

/** The first sentence of the Universal Declaration of Human Rights. */
const FIRST_ARTICLE = {
  ar: 'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.',
  cs: 'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv.',
  de: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren.',
  el: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.',
  en: 'All human beings are born free and equal in dignity and rights.',
  es: 'Todos los seres humanos nacen libres e iguales en dignidad y derechos.',
  fi: 'Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan.',
  fr: 'Tous les êtres humains naissent libres et égaux en dignité et en droits.',
  he: 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.',
  hi: 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।',
  hu: 'Minden emberi lény szabadon születik és egyenlő méltósága és joga van.',
  it: 'Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.',
  ja: 'すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  ko: '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.',
  nl: 'Alle mensen worden vrij en gelijk in waardigheid en rechten geboren.',
  pl: 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.',
  pt: 'Todos os seres humanos nascem livres e iguais em dignidade e em direitos.',
  ru: 'Все люди рождаются свободными и равными в своем достоинстве и правах.',
  sv: 'Alla människor är födda fria och lika i värde och rättigheter.',
  tr: 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.',
  uk: 'Всі люди народжуються вільними і рівними у своїй гідності та правах.',
  vi: 'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.',
  zh: '人人生而自由,在尊严和权利上一律平等。',
};

describe('Language detection', () => {
  for (const [language, text] of Object.entries(FIRST_ARTICLE)) {
    it(`recognises a sentence in "${language}"`, () => {
      expect(run({ text }, { max_candidates: 3 })).to.deep.include({ language, reliable: true });
    });
  }

  it('answers candidates with their names, best first, as many as asked for', () => {
    const { name, candidates } = run({ text: FIRST_ARTICLE.de }, { max_candidates: 2 });
    expect(name).to.equal('German');
    expect(candidates.map(({ language }) => language))
      .to.have.length(2)
      .and.to.include('de');
    expect(candidates[0]!.score).to.be.greaterThan(candidates[1]!.score);
  });

  for (const text of ['12345', '?!', '   ']) {
    it(`refuses "${text}", which holds no words`, () => {
      expect(() => run({ text }, { max_candidates: 3 })).to.throw(
        InputRejected,
        'no words of any known language',
      );
    });
  }
});
