/** A text about heat pumps, written for these samples. */
export const HEAT_PUMPS =
  'A heat pump moves heat from a cold place to a warm one. It works like a refrigerator turned inside out: a ' +
  'refrigerant evaporates outdoors and takes up heat, a compressor raises its pressure and temperature, and it ' +
  'condenses indoors and gives the heat off. Because the heat is moved and not made, a heat pump delivers three to ' +
  'four times the energy that its compressor consumes. Engineers call this ratio the coefficient of performance. ' +
  'The coefficient of performance falls as the difference between the outdoor temperature and the flow temperature ' +
  'of the heating grows. Old houses with small radiators need a high flow temperature, and a heat pump serves them ' +
  'poorly until the walls are insulated or the radiators are exchanged. Underfloor heating needs a low flow ' +
  'temperature and suits a heat pump best. On very cold days many heat pumps switch to an electric heating rod, which ' +
  'makes heat in the ordinary, expensive way. A heat pump that is too large switches on and off all the time, which ' +
  'wears out the compressor. Careful planning of the heating therefore matters more than the brand of the heat pump.';
